import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { substitute } from '../support/documentation.js'
import { production } from '../support/example.js'
import { root } from '../support/server.js'
import { checkServer } from './frameworks.js'
import type { ForeignPart, Project } from './project.js'

const program = `import Fastify from 'fastify'
import { VariantA } from 'payment-signature-backend'
import { paymentSignature } from 'payment-signature-backend/fastify'

const merchantToken = '${production.token}'
const request = ${production.body}
const app = Fastify()
app.register(paymentSignature, { variant: 'A', merchantToken })
app.inject({ method: 'POST', url: '/api/generate-signature', payload: request }).then(response => {
  console.log(JSON.stringify([new VariantA(merchantToken).sign(request), response.json().signature]))
})
`

/** Compiles a CommonJS program. Returns the codes of the compiler's errors. */
async function errorsOf (project: Project, compiler: string, settings: string): Promise<string[]> {
  const args = ['--strict', '--target', 'es2022', '--types', 'node', '--esModuleInterop', '--outDir', 'built/common']
  const running = project.run(`node_modules/${compiler}/bin/tsc`, ...args, ...settings.split(' '), 'common/program.ts')
  const output = await running.catch((error: { stdout: string }) => error.stdout)
  return [...new Set(output.match(/TS\d+/g))]
}

const node10 = '--module commonjs --moduleResolution node10'

/** Settings of a CommonJS project, and the errors that docs/embedding.md names. */
const settings: ReadonlyArray<readonly [compiler: string, settings: string, errors: readonly string[]]> = [
  ['typescript', '--module nodenext', []],
  ['typescript', '--module commonjs --moduleResolution bundler', []],
  ['typescript', '--module node16', ['TS1479']],
  ['typescript-6', '--module nodenext', []],
  ['typescript-6', '--module commonjs --moduleResolution bundler', []],
  ['typescript-6', '--module node16', ['TS1479']],
  ['typescript-6', `${node10} --ignoreDeprecations 6.0`, ['TS2307']],
  ['typescript-5', '--module nodenext', []],
  ['typescript-5', '--module preserve --moduleResolution bundler', []],
  ['typescript-5', '--module node16', ['TS1479']],
  ['typescript-5', node10, ['TS2307']]
]

/** CommonJS under the settings of three compilers, and the Fastify example in TypeScript. */
export const typescript: ForeignPart = {
  packages: ['typescript@7', 'typescript-6@npm:typescript@6', 'typescript-5@npm:typescript@5', 'fastify', '@types/node@20'],
  async run (project) {
    project.write('built/common/package.json', '{ "type": "commonjs" }')
    project.write('common/package.json', '{ "type": "commonjs" }')
    project.write('common/program.ts', program)
    for (const [compiler, options, errors] of settings) {
      deepStrictEqual([compiler, options, await errorsOf(project, compiler, options)], [compiler, options, errors])
      if (errors.length > 0 || options.includes('preserve')) continue
      const printed = JSON.parse(await project.run('node', 'built/common/program.js'))
      deepStrictEqual(printed, [production.signature, production.signature])
    }

    project.write('server.ts', substitute(readFileSync(join(root, 'examples/frameworks/fastify.mjs'), 'utf8'), {
      "import { orderOf, userOf } from './shop.mjs' // your log-in and your orders": `
        import type { AuthorizeInput } from 'payment-signature-backend/fastify'
        const userOf = (cookie?: string) => cookie?.replace('session=', '')
        const orderOf = async (_id?: string) => ({ user: '1', accountNumber: '102551', cents: 10_000, isPaid: false })`,
      'register(paymentSignature,': 'register(paymentSignature<{ user: string | undefined }>,',
      '{ request, caller, context }': '{ request, caller, context }: AuthorizeInput<{ user: string | undefined }>'
    }))
    project.write('policy.json', JSON.stringify({
      callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] }]
    }))
    await project.run('node_modules/typescript/bin/tsc', '--strict', '--module', 'nodenext', '--types', 'node', '--outDir', 'built', 'server.ts')
    await checkServer(`${await project.serve('node', 'built/server.js')}/payments/api/generate-signature`)
  }
}
