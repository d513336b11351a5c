import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastifySwagger } from '@fastify/swagger'
import { fastifySwaggerUi } from '@fastify/swagger-ui'
import { build } from 'esbuild'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { version } from '../src/service/version.js'

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/** By path: a file, from the root of the project, and its type. */
const pages: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/pages.css': ['examples/pages.css', css],
  '/copy.js': ['examples/copy.js', javascript],
  '/client.js': ['dist/client/index.js', javascript],
  '/checkout/': ['examples/checkout/index.html', html],
  '/checkout/checkout.js': ['examples/checkout/checkout.js', javascript],
  '/checkout/builder.js': ['examples/checkout/builder.js', javascript],
  '/checkout/unreachable.js': ['examples/checkout/unreachable.js', javascript],
  '/checkout/warnings.js': ['examples/checkout/warnings.ts', javascript],
  '/samples/sample.js': ['examples/samples/sample.ts', javascript],
  '/samples/sign.php': ['examples/samples/sign.php', plain],
  '/samples/sign.py': ['examples/samples/sign.py', plain],
  '/samples/sign.go': ['examples/samples/sign.go', plain],
  '/inspector/': ['examples/inspector/index.html', html],
  '/inspector/inspector.js': ['examples/inspector/inspector.ts', javascript]
}

/** A file as browsers take it: TypeScript is bundled, with what it needs of the library. */
async function contentOf (root: string, file: string): Promise<string> {
  const path = join(root, file)
  if (!path.endsWith('.ts')) return readFile(path, 'utf8')
  const node = join(root, 'examples/inspector/node.ts')
  const { outputFiles: [bundle] } = await build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    alias: { 'node:crypto': node },
    inject: [node]
  })
  return String(bundle?.text)
}

/**
 * Serves the example pages and the API reference, and nothing but them: the service itself serves no pages.
 *
 * @param root - the folder of the project, in which the client has been built
 * @param endpoints - where the services of variant A and B sign
 */
export function createPages (root: string, endpoints: { A: string, B: string }): FastifyInstance {
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.get('/', async (_request, reply) => reply.redirect('/checkout/'))
  app.get('/services.json', async () => endpoints)
  for (const [path, [file, type]] of Object.entries(pages)) {
    app.get(path, async (_request, reply) => reply.type(type).send(await contentOf(root, file)))
  }
  app.register(async function reference (app) {
    const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'))
    const servers = Object.entries(endpoints).map(([variant, url]) =>
      ({ url: new URL(url).origin, description: `variant ${variant}` }))
    const info = { ...document.info, version }
    await app.register(fastifySwagger, { mode: 'static', specification: { document: { ...document, info, servers } } })
    await app.register(fastifySwaggerUi, {
      routePrefix: '/documentation',
      // The page sets styles in its elements, and sends requests to the services.
      staticCSP: "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        `connect-src 'self' ${servers.map(({ url }) => url).join(' ')}; form-action 'none'; base-uri 'none'`,
      theme: {
        title: document.info.title,
        css: [{ filename: 'reference.css', content: await readFile(join(root, 'examples/reference.css'), 'utf8') }],
        js: [{ filename: 'reference.js', content: await readFile(join(root, 'examples/reference.js'), 'utf8') }]
      },
      uiConfig: {
        layout: 'BaseLayout', // no bar that would open other documents
        deepLinking: false, // it puts links into buttons
        defaultModelsExpandDepth: 0
      }
    })
  })
  return app
}
