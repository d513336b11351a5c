import { deepStrictEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ForeignPart } from './project.js'

/** Configurations of the service, and a request of each. */
const configurations = {
  strict: ['STRICT=true ACCEPT_BODY_TOKEN=false', "operationType: 'refund', amount: '1.00', transactionFCRN: '987654'"],
  lenient: ['ACCEPT_BODY_TOKEN=false', "operationType: 'refund', amount: '1.00', transactionFCRN: '987654'"],
  b: ['VARIANT=B STRICT=true ACCEPT_BODY_TOKEN=false', "amount: '1.00', orderId: 'O-1'"]
} as const

/** Returns a program that uses the types. Each expected error is one that a caller would make. */
const programOf = (name: string, fields: string): string => `
import type { components } from './openapi-typescript-${name}'
import type { SignatureRequest as HeyApi } from './hey-api-${name}'
import type { SignatureRequest as Orval } from './orval-${name}'

type Requests = [components['schemas']['SignatureRequest'], HeyApi, Orval]
const request = { ${fields}, merchantAccountNumber: '102551', sid: 'sid', clientTimeStamp: 1709912345678 } as const
export const requests: Requests = [request, request, request]
${[0, 1, 2].map(index => `
// @ts-expect-error a secret in an app
export const secret${index}: Requests[${index}] = { ...request, merchantToken: 'token' }
// @ts-expect-error no sid
export const incomplete${index}: Requests[${index}] = { amount: '1.00', merchantAccountNumber: '102551', clientTimeStamp: 1 }
// @ts-expect-error a number
export const rounded${index}: Requests[${index}] = { ...request, amount: 1.00 }`).join('\n')}
`

const hasKotlin = spawnSync('kotlinc', ['-version']).status === 0

/** Clients and models that are generated from the document of a service. Their versions run on Node.js 20. */
export const generators: ForeignPart = {
  packages: ['openapi-typescript@7', '@hey-api/openapi-ts@0.90', 'orval@7.9', 'quicktype@23', 'typescript@5'],
  async run (project) {
    for (const [name, [variables, fields]] of Object.entries(configurations)) {
      const url = await project.serve('sh', '-c', `${variables} exec node_modules/.bin/payment-signature serve`)
      const document = await (await fetch(`${url}/openapi.json`)).text()
      project.write('openapi.json', document)
      project.write('schema.json', JSON.stringify(JSON.parse(document).components.schemas.SignatureRequest))
      project.write(`${name}.ts`, programOf(name, fields))
      const bin = (tool: string, ...args: string[]) => project.run(`node_modules/.bin/${tool}`, ...args)
      await bin('openapi-typescript', 'openapi.json', '--output', `openapi-typescript-${name}.ts`)
      await bin('openapi-ts', '--input', 'openapi.json', '--output', `hey-api-${name}`)
      await bin('orval', '--input', 'openapi.json', '--output', `orval-${name}.ts`, '--client', 'fetch')
      await bin('tsc', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable',
        '--module', 'esnext', '--moduleResolution', 'bundler', `${name}.ts`)

      for (const [language, ...options] of [['kotlin', '--framework', 'just-types', '--package', name], ['swift']]) {
        const file = `${name}.${language}`
        await bin('quicktype', '--src-lang', 'schema', '--lang', language!, ...options, '--top-level', 'SignatureRequest', '--out', file, 'schema.json')
        const model = readFileSync(project.path(file), 'utf8')
        deepStrictEqual([/merchantToken/i.test(model), /clientTimeStamp: (?:Long|Int)\b/.test(model)], [false, true])
        if (language === 'kotlin' && hasKotlin) {
          project.write(`${name}.kt`, model)
          await project.run('kotlinc', `${name}.kt`, '-d', `${name}.jar`)
        }
      }
    }
  }
}
