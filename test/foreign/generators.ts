import { match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ForeignPart } from './project.js'

/** A program that uses the types. Each expected error is one that a caller would make. */
const program = `
import type { components } from './openapi-typescript'
import type { SignatureRequest as HeyApi } from './hey-api'
import type { SignatureRequest as Orval } from './orval'

type Requests = [components['schemas']['SignatureRequest'], HeyApi, Orval]
const request = {
  operationType: 'refund', amount: '1.00', transactionFCRN: '987654',
  merchantAccountNumber: '102551', sid: 'sid', clientTimeStamp: 1709912345678
} as const
export const requests: Requests = [request, request, request]
${[0, 1, 2].map(index => `
// @ts-expect-error no sid
export const incomplete${index}: Requests[${index}] = { amount: '1.00', merchantAccountNumber: '102551', clientTimeStamp: 1 }
// @ts-expect-error a number
export const rounded${index}: Requests[${index}] = { ...request, amount: 1.00 }`).join('\n')}
`

const hasKotlin = spawnSync('kotlinc', ['-version']).status === 0

/** Clients and models that are generated from the served document. Their versions run on Node.js 20. */
export const generators: ForeignPart = {
  packages: ['openapi-typescript@7', '@hey-api/openapi-ts@0.90', 'orval@7.9', 'quicktype@23', 'typescript@5'],
  async run (project) {
    const url = await project.serve(['node_modules/.bin/payment-signature', 'serve'])
    const document = await (await fetch(`${url}/openapi.json`)).text()
    project.write('openapi.json', document)
    project.write('schema.json', JSON.stringify(JSON.parse(document).components.schemas.SignatureRequest))
    project.write('program.ts', program)
    const bin = (tool: string, ...args: string[]) => project.run(`node_modules/.bin/${tool}`, ...args)
    await bin('openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.ts')
    await bin('openapi-ts', '--input', 'openapi.json', '--output', 'hey-api')
    await bin('orval', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch')
    await bin('tsc', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable',
      '--module', 'esnext', '--moduleResolution', 'bundler', 'program.ts')

    for (const [language, extension, ...options] of [['kotlin', 'kt', '--framework', 'just-types', '--package', 'shop'], ['swift', 'swift']]) {
      const file = `model.${extension}`
      await bin('quicktype', '--src-lang', 'schema', '--lang', language!, ...options, '--top-level', 'SignatureRequest', '--out', file, 'schema.json')
      match(readFileSync(project.path(file), 'utf8'), /clientTimeStamp: (?:Long|Int)\b/)
      if (language === 'kotlin' && hasKotlin) await project.run('kotlinc', file, '-d', 'model.jar')
    }
  }
}
