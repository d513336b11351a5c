import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { substitute } from '../support/documentation.js'
import { production } from '../support/example.js'
import { root } from '../support/server.js'
import { checkServer } from './frameworks.js'
import type { ForeignPart, Project } from './project.js'

const program = `import { VariantA } from 'payment-signature-backend'
import { createApp } from 'payment-signature-backend/app'

const merchantToken = '${production.token}'
const request = ${production.body}
const app = createApp({ config: { MERCHANT_TOKEN: merchantToken }, logger: false })
app.inject({ method: 'POST', url: '/api/generate-signature', payload: request }).then((response: { json (): { signature: string } }) => {
  const signer = new VariantA(merchantToken)
  console.log(JSON.stringify([signer.sign(signer.read(request)), response.json().signature]))
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

    const example = (name: string) => readFileSync(join(root, 'examples/frameworks', name), 'utf8')
    project.write('fastify-route.ts', substitute(example('fastify-route.mjs'), {
      '/** Fastify plugin': `
        import type { FastifyInstance, FastifyRequest } from 'fastify'
        import type { Handler } from 'payment-signature-backend/app'
        interface Options { handler: Handler<FastifyRequest>, path?: string }
        /** Fastify plugin`,
      "signingRoute (app, { handler, path = '/api/generate-signature' })":
        "signingRoute (app: FastifyInstance, { handler, path = '/api/generate-signature' }: Options)",
      'const { method, headers, body } = request': 'const { method, body } = request, headers = request.headers as Record<string, string>',
      '{ method, headers, body }), request)': '{ method, headers, body: body as Buffer<ArrayBuffer> }), request)'
    }))
    project.write('server.ts', substitute(example('fastify.mjs'), {
      "import Fastify from 'fastify'": "import Fastify, { type FastifyRequest } from 'fastify'",
      './fastify-route.mjs': './fastify-route.js',
      './authorize.mjs': './authorize.js',
      'createHandler({': 'createHandler<FastifyRequest>({'
    }))
    project.write('authorize.ts', substitute(example('authorize.mjs'), {
      "import { orderOf, userOf } from './shop.mjs' // your log-in and your orders": `
        import type { AuthorizeInput } from 'payment-signature-backend/app'
        import { orderOf, userOf } from './shop.js'`,
      '{ request, caller, headers }': '{ request, caller, headers }: AuthorizeInput'
    }))
    project.write('shop.ts', `
      export const userOf = (cookie?: string | null) => cookie?.replace('session=', '')
      export const orderOf = async (_id?: string) => ({ user: 'demo', accountNumber: '102551', cents: 10_000, isPaid: false })`)
    project.write('policy.json', JSON.stringify({
      callers: [{ name: 'anonymous', operations: ['purchase'], accountNumbers: ['102551'] }]
    }))
    await project.run('node_modules/typescript/bin/tsc', '--strict', '--module', 'nodenext', '--types', 'node', '--outDir', 'built', 'server.ts')
    await checkServer(`${await project.serve(['node', 'built/server.js'])}/payments/api/generate-signature`)
  }
}
