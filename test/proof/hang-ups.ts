import { hostWith, optionNames, pairs, respondsTwice, unhandledErrors } from '../support/disconnects.js'
import { body, request } from '../support/example.js'
import { randomOf } from './part.js'
import { scoped } from '../support/scope.js'

/*
 * Lets clients disconnect at random moments from apps with different hooks and options, and prints the faults as JSON.
 *
 *   node dist/test/proof/hang-ups.js SEED COUNT
 */
const [seed, wanted] = process.argv.slice(2).map(Number) as [number, number]

/** Options of the apps: each alone, each with an audit, and nearly all together. */
const optionSets = [
  ...optionNames.flatMap(name => name === 'nothing' || name.includes('audit') ? [[name]] : [[name], [name, 'audit']]),
  ['Redis', 'context', 'authorize', 'token function', 'audit']
]

const apps = pairs.flatMap(([host, sender]) => optionSets.map(set => [host, sender, set] as const))
const random = randomOf(seed)
const choose = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
const faults: string[] = []
const { errors } = unhandledErrors()
let disconnected = 0

for (const [index, [host, sender, set]] of apps.entries()) {
  await scoped('disconnects', async t => {
    const { app, port, metrics, counts, places, disconnect } = await hostWith(t, host, sender, set)
    const fault = (text: string) => faults.push(`${host}, ${sender}, ${set.join(' + ')}: ${text}`)
    while (disconnected < wanted * (index + 1) / apps.length) {
      const place = choose(['body', 'sent', ...places])
      disconnected += Number(await disconnect({ place, wait: choose([0, 1, 2, 3, 'closed']), isLoggedIn: random() < 0.5 }))
    }
    const { status } = await request(port, body, { cookie: 'me' })
    if (status !== 200) fault(`status ${status} afterwards`)
    const inFlight = /^payment_signature_authorize_in_flight (.*)$/m.exec(await metrics.metrics())?.[1] ?? '0'
    if (inFlight !== '0') fault(`${inFlight} slots of authorize in use`)
    await app.close()
    const isAudited = set.includes('signer') && set.includes('audit') && !respondsTwice(host)
    if (isAudited && counts.signed !== counts.audited) fault(`${counts.signed} signatures, ${counts.audited} audited`)
    errors.splice(0).forEach(fault)
  })
}
process.stdout.write(JSON.stringify({ apps: apps.length, disconnected, faults }))
process.exit()
