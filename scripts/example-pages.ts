import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'

const builtPages = fileURLToPath(new URL('../pages', import.meta.url))

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }

const titles = [['/checkout/', 'Checkout'], ['/minimal.html', 'Minimal']] as const

/** Returns the header of a page with links to all pages. */
const headerOf = (path: string): string => `<header>
    <nav aria-label="Examples">${titles.map(([href, title]) =>
      `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${title}</a>`).join('\n')}</nav>`

/**
 * Returns an app that serves the built example pages, and no other files.
 *
 * @param endpoints - URLs at which services of variant A and B sign
 * @throws Error the pages are not built
 */
export async function createPages (endpoints: { A: string, B: string }, folder = builtPages): Promise<FastifyInstance> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
    .catch(() => { throw new Error('the example pages are not built: npm run build') })
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.get('/', async (_request, reply) => reply.redirect('/checkout/'))
  for (const file of files.filter(file => file.isFile())) {
    const name = join(file.parentPath, file.name)
    const path = name.slice(folder.length).replaceAll('\\', '/').replace(/index\.html$/, '')
    const text = (await readFile(name, 'utf8'))
      .replaceAll(/http:\/\/localhost:808([12])\b/g, (_match, port) => new URL(port === '1' ? endpoints.A : endpoints.B).origin)
      .replace(/<header>(?:\s*<nav[^]*?<\/nav>)?/, () => headerOf(path))
      .replace(/(?<=<body>\s*)(?=<main>)/, () => `${headerOf(path)}</header>\n  `) // a page without a header
    app.get(path, async (_request, reply) => reply.type(`${types[extname(name)]}; charset=utf-8`).send(text))
  }
  return app
}
