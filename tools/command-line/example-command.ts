import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { CommandError, commandOf } from '../../src/command-line/command.js'
import { listen } from '../../src/process/listen.js'
import { ThrottledLog } from '../../src/telemetry/log-limits.js'

const builtPages = fileURLToPath(new URL('../../pages', import.meta.url))

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
 * @throws CommandError the pages are not installed
 */
export async function createPages (endpoints: { A: string, B: string }, folder = builtPages): Promise<FastifyInstance> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
    .catch(() => { throw new CommandError('the example pages are not here: a container image does not contain them') })
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

/** Returns the ports of the pages and of the services of variant A and B. */
function portsFrom (text: string): [pages: number, A: number, B: number] {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65533) throw new CommandError('the port must be a whole number from 0 to 65533')
  return port === 0 ? [0, 0, 0] : [port, port + 1, port + 2]
}

export const command = commandOf({
  help: `Usage: payment-signature example [options]

Serves the example pages and a service of each variant at localhost, until Ctrl-C. The services sign with the
development token.

Options
  --port PORT                 port of the pages; the services have the next two; 0: any free ports; default: PORT, or
                              8080

Exit code: 0 stopped, 2 wrong usage, or a port that is in use

Example
  payment-signature example --port 9000
`,

  options: { port: { type: 'string' } },

  async run ({ values }, io) {
    const [port, portA, portB] = portsFrom([values.port, io.env.PORT, '8080'].find(text => text !== undefined)!)
    const { createApp } = await import('../../src/app.js')
    const services = (['A', 'B'] as const).map(variant => createApp({ config: { VARIANT: variant }, logger: false }))
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    const apps = [...services]
    const serve = async (app: typeof services[number], port: number): Promise<string> => {
      const url = await listen(app, 'localhost', port, '--port')
      return `http://localhost:${new URL(url).port}`
    }
    try {
      const A = `${await serve(services[0]!, portA)}/api/generate-signature`
      const B = `${await serve(services[1]!, portB)}/api/generate-signature`
      const pages = await createPages({ A, B })
      apps.push(pages)
      pages.decorate('backgroundFaults', new ThrottledLog<unknown>(() => {}))
      const url = await serve(pages, port)
      io.stdout.write(`checkout page:      ${url}/checkout/
minimal page:       ${url}/minimal.html
service, variant A: ${A}
service, variant B: ${B}
Ctrl-C ends them all.
`)
      await stopped
    } finally {
      await Promise.all(apps.map(app => app.close()))
    }
    return true
  }
})
