import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { proxied } from '../support/documented.js'
import { freePorts } from '../support/free-port.js'
import { exchangeBytes } from '../support/http.js'
import { proxyNames, startProxy } from '../support/proxies.js'
import type { ProxyName } from '../support/proxies.js'
import { importing, sayingWhere, server, type Scope } from '../support/server.js'
import { casesOf, lastRequest, request } from './http-cases.js'
import type { Case } from './http-cases.js'
import { inScope, table } from './part.js'
import type { Part } from './part.js'
import { signatureOf } from './signature.js'

const token = 'tokenOfTheHttpCases'

/** Option of Node.js: `localhost` has two addresses on every machine. The second address has its own listener. */
const bothAddresses = importing(`
  import dns from 'node:dns/promises'
  import { syncBuiltinESMExports } from 'node:module'
  dns.lookup = async () => [{ address: '127.0.0.1' }, { address: '::1' }]
  syncBuiltinESMExports()
`)

/** Returns a purchase with an order id, and its signature. */
function purchase (orderId: string) {
  const fields = {
    operationType: 'purchase' as const, amount: '1.00', merchantAccountNumber: '1', orderId, sid: 's', clientTimeStamp: 1709912345678
  }
  return { body: JSON.stringify(fields), signature: signatureOf(fields, token) }
}

/** Returns the statuses of the final responses. */
const statusesIn = (received: string): string[] => [...received.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => String(status))
  .filter(status => status !== '100')

const times = (text: string, part: string): number => text.split(part).length - 1

/** The service, by itself or behind a proxy. */
interface Target {
  name: string
  /** True without a proxy. */
  isDirect: boolean
  port: number
  host: '127.0.0.1' | '::1'
  /** Returns true if an order id was signed. */
  hasSigned: (orderId: string) => boolean
}

/** @param name - of a proxy, or the address at which the service is attacked directly */
async function startTarget (t: Scope, name: ProxyName | Target['host']): Promise<Target> {
  const isDirect = isIP(name) !== 0
  const ports = await freePorts()
  const audits = [1, 2].map(number => join(t.testdir(), `${name}-${number}.log`))
  for (const [index, [port, admin]] of [[ports[3001], ports[9464]], [ports[3002], ports[9465]]].entries()) {
    const service = server(t, {
      HOST: 'localhost',
      PORT: String(port),
      ADMIN_PORT: String(admin),
      MERCHANT_TOKEN: token,
      AUDIT: 'required',
      AUDIT_FILE: String(audits[index]),
      LOG_LEVEL: 'error'
    }, { nodeOptions: [sayingWhere, bothAddresses] })
    await service.says(new RegExp(`(?:listening at http://127.0.0.1:${port}[^]*){2}`)) // for each address
    if (isDirect) break
  }
  const proxy = name as ProxyName
  const port = isDirect ? ports[3001] : (await startProxy(t, proxy, proxied[proxy], ports)).port
  const hasSigned = (orderId: string) => audits.some(path => existsSync(path) && readFileSync(path, 'utf8').includes(`"${orderId}"`))
  if (!isDirect) await setTimeout(3000) // the checks of a proxy
  return { name, isDirect, port, host: name === '::1' ? name : '127.0.0.1', hasSigned }
}

export const http: Part = {
  name: 'http',
  shows: 'The service enforces the rules of RFC 9112 about the end of a message, and answers each request once. Proxy and ' +
    'service never disagree about the end of a request (desynchronisation), behind the documented proxies.',
  programs: ['nginx', 'haproxy', 'caddy'],
  run: inScope('http', async (t, { short, note, signal }) => {
    const names = [...new Set(casesOf({ body: '', smuggled: '' }).map(({ name }) => name))]
    const cells = new Map<string, string>()
    const rules = new Map<string, string>()
    const faults: string[] = []
    const totals = { requests: 0, desynchronisations: 0 }

    /** Judges the service without a proxy. */
    function judge (one: Case, statuses: string[], isClosed: boolean): string | undefined {
      const [first = 'no response', second] = statuses
      const isAnswered = statuses.length > 1 && statuses.every(status => status === '200')
      const isRefused = /^[45]/.test(first)
      const holds = {
        answered: isAnswered,
        last: first === '200' && second === undefined && isClosed,
        refused: isRefused,
        closed: isRefused && second === undefined,
        either: first !== 'no response'
      }
      return holds[one.expected] && first !== '500' ? undefined : `must be ${one.expected}; responses: ${statuses.join(', ') || 'none'}`
    }

    async function attack (place: Target, index: number) {
      const { name: target, isDirect, hasSigned } = place
      const id = `${target}-${index}`
      const own = purchase(`OWN-${id}`)
      const smuggled = purchase(`SMUGGLED-${id}`)
      const probe = purchase(`PROBE-${id}`)
      const one = casesOf({ body: own.body, smuggled: request(smuggled.body) })[index] as Case
      const started = Date.now()
      const received = await exchangeBytes(place, one.text + lastRequest(probe.body), 700)
      const isClosed = Date.now() - started < 700
      const statuses = statusesIn(received)
      const problem = isDirect ? judge(one, statuses, isClosed) : undefined
      const fault = (text: string) => faults.push(`${one.name} (${one.rule}), ${target}: ${text}`)
      if (problem !== undefined) fault(problem)
      for (const { signature } of [own, smuggled, probe]) {
        if (times(received, signature) > 1) fault('a request was answered twice')
      }
      let isDesynchronised = hasSigned(`SMUGGLED-${id}`) && (isDirect || !received.includes(smuggled.signature))
      for (let victim = 0; victim < 3; victim++) {
        const { body, signature } = purchase(`VICTIM-${id}-${victim}`)
        const response = await exchangeBytes(place, lastRequest(body), 5000)
        if (statusesIn(response).join() !== '200' || times(response, signature) !== 1) {
          isDesynchronised = true
          fault(`another client got ${response.slice(0, 300)}`)
        }
      }
      totals.requests += 4
      if (isDesynchronised) {
        totals.desynchronisations++
        fault('desynchronised')
      }
      cells.set(`${one.name} ${target}`, statuses.join(' ') || 'closed')
      rules.set(one.name, one.rule)
    }

    const targets = ['127.0.0.1', '::1', ...short ? ['nginx'] as const : proxyNames] as const
    await Promise.all(targets.map(async name => {
      const target = await startTarget(t, name)
      for (const [index] of names.entries()) {
        if (signal.aborted || (short && index % 10 > 0)) continue
        await attack(target, index)
      }
      note(`${name}: ${faults.length} faults`)
    }))
    const head = ['RFC 9112', 'case', ...targets]
    const rows = [...rules].map(([name, rule]) => [rule, name, ...targets.map(target => cells.get(`${name} ${target}`) ?? '')])
    return {
      passed: faults.length === 0,
      figures: {
        cases: rows.length,
        targets: targets.length,
        connections: totals.requests,
        faults: faults.length,
        desynchronisations: totals.desynchronisations
      },
      details: [
        ...faults.slice(0, 30).map(fault => `- ${fault.replaceAll(/[\r\n]+/g, ' ')}`),
        'Statuses of the responses to a case and to the next request of the same connection. An address is the service ' +
          'without a proxy. `closed`: no response.',
        table(head, rows)
      ].join('\n\n')
    }
  })
}
