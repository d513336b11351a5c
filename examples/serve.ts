import closeWithGrace from 'close-with-grace'
import { createApp } from '../src/app.js'
import { addressesOf, listen, listenAt } from '../src/service/listen.js'
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
await pages.ready()
const onFault = pages.log.error.bind(pages.log)
const url = named(await listenAt(pages.server, addresses, { port, variables: 'PORT', onFault }))

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
