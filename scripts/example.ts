import { createApp } from '../src/app.js'
import { createPages } from './example-pages.js'

/*
 * Serves the example pages and a service of each variant at localhost, until Ctrl-C. The services sign with the
 * development token. PORT is the port of the pages, 8080 by default; the services have the next two.
 */

const port = Number(process.env.PORT ?? 8080)
const origins = ['A', 'B'].map((variant, index) => ({ variant, port: port === 0 ? 0 : port + 1 + index }))
const [A = '', B = ''] = await Promise.all(origins.map(async ({ variant, port }) => {
  const app = createApp({ config: { VARIANT: variant as 'A' | 'B' }, logger: false })
  const url = await app.listen({ host: 'localhost', port })
  return `http://localhost:${new URL(url).port}/api/generate-signature`
}))
const pages = await createPages({ A, B })
const { port: portOfPages } = new URL(await pages.listen({ host: 'localhost', port }))
process.stdout.write(`checkout page:      http://localhost:${portOfPages}/checkout/
minimal page:       http://localhost:${portOfPages}/minimal.html
service, variant A: ${A}
service, variant B: ${B}
Ctrl-C ends them all.
`)
