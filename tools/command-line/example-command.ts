import { once } from 'node:events'
import { CommandError, commandOf } from '../../src/command-line/command.js'
import { listen } from '../../src/process/listen.js'
import { ThrottledLog } from '../../src/telemetry/log-limits.js'
import { createPages } from './example-pages.js'

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
