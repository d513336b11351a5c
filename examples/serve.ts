import closeWithGrace from 'close-with-grace'
import { createApp } from '../src/app.js'
import { addressesOf, listen, listenAt } from '../src/service/listen.js'
import { createPageServer } from './pages.js'
import { portsFrom } from './ports.js'

const [port, ...servicePorts] = portsFrom(process.env.PORT)
const addresses = await addressesOf('localhost')
const named = ([url = '']: string[]): string => `http://localhost:${new URL(url).port}`

const services = (['A', 'B'] as const).map(variant => createApp({ config: { VARIANT: variant }, logger: false }))
const [A, B] = await Promise.all(services.map(async (service, index) => {
  return `${named(await listen(service, addresses, Number(servicePorts[index])))}/api/generate-signature`
})) as [string, string]
const pages = createPageServer(process.cwd(), { A, B })
const url = named(await listenAt(pages, addresses, port, 'PORT'))

process.stdout.write(`checkout page:      ${url}/checkout/
inspector page:     ${url}/inspector/
service, variant A: ${A}
service, variant B: ${B}
Ctrl-C ends them all.
`)

closeWithGrace({ delay: 5000 }, async () => {
  pages.close()
  pages.closeAllConnections()
  await Promise.all(services.map(service => service.close()))
})
