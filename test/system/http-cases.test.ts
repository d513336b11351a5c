import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VariantA } from '../../src/scheme/variant-a.js'
import { proxied } from '../support/documented.js'
import { casesOf, lastRequest, request, type Case } from '../support/http-cases.js'
import { exchangeBytes } from '../support/http.js'
import { startProxy, without } from '../support/proxies.js'
import { listening, sayingWhere, server } from '../support/server.js'

// The service enforces the rules of RFC 9112 about the end of a message, and answers each request once. A proxy and the
// service never disagree about the end of a request: no client gets the response of another one.

const token = 'tokenOfTheHttpCases'
const signer = new VariantA(token)

/** Returns a purchase with an order id, and its signature. */
function purchase (orderId: string) {
  const fields = { amount: '1.00', merchantAccountNumber: '1', orderId, sid: 's', clientTimeStamp: 1709912345678 }
  return { body: JSON.stringify(fields), signature: signer.sign(fields) }
}

/** Returns the statuses of the final responses. */
const statusesIn = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => String(status)).filter(status => status !== '100')

const times = (text: string, part: string): number => text.split(part).length - 1

/** True if a server without a proxy responded as it must. */
function isRight ({ expected }: Case, [first = '', ...others]: string[], isClosed: boolean): boolean {
  const isRefused = /^4|^50[1-9]/.test(first)
  return {
    answered: first === '200' && others.length > 0 && others.every(status => status === '200'),
    last: first === '200' && others.length === 0 && isClosed,
    refused: isRefused,
    closed: isRefused && others.length === 0,
    either: first !== '' && first !== '500',
    pipelined: first !== '' && first !== '500' && isClosed
  }[expected]
}

/** Time without a byte after which a connection is left, in milliseconds. */
const patience = 2000

/** Sends each case, and then an honest request of another client. */
async function attack (t: Test, port: number, audit: string, isDirect: boolean): Promise<void> {
  const isSigned = (orderId: string) => readFileSync(audit, 'utf8').includes(`"${orderId}"`)
  const waiting = [...casesOf({ body: '', smuggled: '' }).keys()]
  async function client () {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const [own, smuggled] = [purchase(`OWN-${index}`), purchase(`SMUGGLED-${index}`)]
      const [probe, victim] = [purchase(`PROBE-${index}`), purchase(`VICTIM-${index}`)]
      const one = casesOf({ body: own.body, smuggled: request(smuggled.body) })[index]!
      const what = `${one.name} (${one.rule})`
      const started = Date.now()
      // The service answers no request behind an unanswered one; a proxy does not pass such requests on.
      const received = await (isDirect
        ? exchangeBytes({ port }, one.text, patience, lastRequest(probe.body))
        : exchangeBytes({ port }, one.text + lastRequest(probe.body), patience))
      const statuses = statusesIn(received)
      if (isDirect) t.ok(isRight(one, statuses, Date.now() - started < patience), `${what} is ${one.expected}`, { statuses })
      for (const { signature } of [own, smuggled, probe]) t.ok(times(received, signature) <= 1, `${what} is not answered twice`)
      const response = await exchangeBytes({ port }, lastRequest(victim.body), 20_000)
      t.equal(times(response, victim.signature), 1, `${what}: the next client gets its own response`, { response })
      const isSmuggled = isSigned(`SMUGGLED-${index}`) && (isDirect || !received.includes(smuggled.signature))
      t.notOk(isSmuggled, `${what} hides no request`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

for (const name of ['the service', 'nginx', 'haproxy'] as const) {
  const isDirect = name === 'the service'
  t.test(`ends of messages, ${isDirect ? 'without a proxy' : `behind ${name}`}`, { skip: !isDirect && without(name) }, async t => {
    const audit = join(t.testdir(), 'audit.log')
    const service = server(t, {
      MERCHANT_TOKEN: token, AUDIT: 'required', AUDIT_FILE: audit, LOG_LEVEL: 'error'
    }, { nodeOptions: [sayingWhere] })
    const port = Number((await service.says(listening))[1])
    if (isDirect) return attack(t, port, audit, true)
    const proxy = await startProxy(t, name, proxied[name], { 3001: port, 3002: port })
    await attack(t, proxy.port, audit, false)
  })
}
