import closeWithGrace from 'close-with-grace'
import { createApp } from '../src/app.js'
import { addressesOf, listen } from '../src/service/listen.js'
import { ThrottledLog } from '../src/service/throttled-log.js'
import { createPages } from './pages.js'
import { portsFrom } from './ports.js'

const [port, ...servicePorts] = portsFrom(process.env.PORT)
const addresses = await addressesOf('localhost')
const named = ([url = '']: string[]): string => `http://localhost:${new URL(url).port}`

const services = (['A', 'B'] as const).map(variant => createApp({ config: { VARIANT: variant }, logger: false }))
const [A, B] = await Promise.all(services.map(async (service, index) => {
  return `${named(await listen(service, addresses, Number(servicePorts[index])))}/api/generate-signature`
})) as [string, string]
const pages = createPages(process.cwd(), { A, B })
pages.decorate('backgroundFaults', new ThrottledLog<unknown>((times, err) => pages.log.error({ err, times }, 'a fault')))
const url = named(await listen(pages, addresses, port, false, 'PORT'))

process.stdout.write(`checkout page:      ${url}/checkout/
inspector page:     ${url}/inspector/
API reference:      ${url}/documentation
service, variant A: ${A}
service, variant B: ${B}
Ctrl-C ends them all.
`)

closeWithGrace({ delay: 5000 }, async () => {
  await Promise.all([pages, ...services].map(app => app.close()))
})
