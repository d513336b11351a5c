import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { createApp } from '../../src/app.js'
import paymentSignature, { type Decision } from '../../src/fastify.js'
import { createHandler } from '../../src/fetch.js'
import { serve } from './backend.js'
import { Log } from './log.js'
import { allEnforced, attemptOf, enforced, json, modelOf, reportLists, settingOf, sid, token } from './model.js'
import type { Attempt, Prediction, Setting } from './model.js'
import { randomOf } from './random.js'
import type { Scope } from './server.js'

type Audit = Partial<Decision['audit']>
interface Sent { payload: string | Buffer, headers: Record<string, string>, path?: string }
interface Answer { status: number, headers: Headers, body: string }

/** The signing route in one of its three forms, with what a test observes. */
interface Surface {
  send: (sent: Sent) => Promise<Answer>
  decisions: Audit[]
  metrics: () => Promise<string>
  /** Returns the log so far. The log of a host is the host's own. */
  log: () => string
  close: () => Promise<unknown>
}

/** Surroundings of the signing route: its backend, a file for its policy, and the request that is sent. */
interface Surroundings { authorizeUrl: string, file: string, current: () => Pick<Attempt, 'isOverloaded' | 'auditFails'> }

const route = '/api/generate-signature'
const rateLimitWindow = 3_600_000

/** Returns the options of plugin and handler for a setting, and the decisions that they record. */
function optionsOf (setting: Setting, { authorizeUrl, current }: Surroundings) {
  const { variant, callers, isStrict, acceptsToken, rate, reportOnly } = setting
  const [decisions, metrics] = [[] as Audit[], new Registry()]
  const options = {
    ...{ variant, merchantToken: token, strict: isStrict, acceptBodyToken: acceptsToken, authorizeUrl },
    ...{ rateLimitMax: rate, rateLimitWindow, reportOnly, metrics, auditRequired: true },
    ...callers !== undefined && { policy: { callers } as never },
    audit ({ audit }: Decision) {
      decisions.push(audit)
      if (current().auditFails) throw new Error('canary')
    }
  }
  return { decisions, metrics, options }
}

const injecting = (app: FastifyInstance): Pick<Surface, 'send' | 'close'> => ({
  async send ({ path: url = route, ...sent }) {
    const { statusCode: status, headers, body } = await app.inject({ method: 'POST', url, ...sent })
    return { status, headers: new Headers(headers as Record<string, string>), body }
  },
  close: () => app.close()
})

export const surfaces: Readonly<Record<string, (setting: Setting, surroundings: Surroundings) => Surface>> = {
  service ({ variant, callers, isStrict, acceptsToken, rate, reportOnly }, { authorizeUrl, file, current }) {
    const [decisions, log] = [[] as Audit[], new Log()]
    writeFileSync(file, JSON.stringify({ callers }))
    const write = (line: string, done?: () => void) => {
      if (line.includes('"decision"')) decisions.push(JSON.parse(line).audit)
      done?.()
    }
    const app = createApp({
      output: { lost: 0, write },
      logger: { stream: log },
      config: {
        ...{ NODE_ENV: 'test', MERCHANT_TOKEN: token, VARIANT: variant, ADMIN_PORT: '0', AUDIT: 'required' },
        ...{ STRICT: isStrict, ACCEPT_BODY_TOKEN: acceptsToken, REPORT_ONLY: reportOnly, AUTHORIZE_URL: authorizeUrl },
        ...{ RATE_LIMIT_MAX: rate, RATE_LIMIT_WINDOW: rateLimitWindow },
        ...callers !== undefined && { POLICY_FILE: file }
      }
    })
    app.after(() => { app.isOverloaded = () => current().isOverloaded })
    return { ...injecting(app), decisions, metrics: () => app.metrics!.metrics(), log: () => log.text }
  },
  plugin (setting, surroundings) {
    const { decisions, metrics, options } = optionsOf(setting, surroundings)
    const app = Fastify()
    app.register(paymentSignature, options)
    return { ...injecting(app), decisions, metrics: () => metrics.metrics(), log: () => '' }
  },
  handler (setting, surroundings) {
    const log = new Log()
    const { decisions, metrics, options } = optionsOf(setting, surroundings)
    const handler = createHandler({ ...options, logger: { stream: log }, clientAddress: () => '127.0.0.1' })
    async function send ({ payload, headers, path = route }: Sent) {
      // A Blob sets no content-type. Without a type, an empty Blob would count as a body of an unknown one.
      const body = payload.length === 0 ? null : new Blob([payload as never])
      const response = await handler(new Request(`https://pay.example${path}`, { method: 'POST', headers, body }))
      return { status: response.status, headers: response.headers, body: await response.text() }
    }
    return { send, decisions, metrics: () => metrics.metrics(), log: () => log.text, close: () => handler.close() }
  }
}

const outcomes: Readonly<Record<number, string>> = {
  200: 'signed',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'invalid',
  503: 'unavailable'
}

/** Codes of refusals that the audit only counts, and of a decision that nobody can read. */
const unaudited = ['rate-limit', 'key-failures', 'audit-unavailable']

const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1))

/** Returns what the audit has that the model did not predict, or undefined. */
function faultInAudit (
  audit: Audit, outcome: string, text: string, right: Prediction | undefined, { reportOnly }: Setting
): string | undefined {
  if (JSON.stringify(audit).includes(sid)) return 'the sid in clear'
  if (outcome !== 'signed') return audit.outcome === outcome && audit.reason === text ? undefined : `not ${outcome}, ${text}`
  const { wouldRefuse, clientAddress, apiKey, ...terms } = audit
  const expected: Record<string, unknown> = { outcome, ...right?.[3] }
  if (reportOnly.includes('policy')) expected.caller = audit.caller // the policy names it, and the model knows no policy
  return sorted(JSON.parse(JSON.stringify(terms))) === sorted(expected) ? undefined : `not ${sorted(expected)}`
}

/**
 * Sends 50 random requests under each of some random settings. Returns the first differences from the model, and the
 * refusals that were seen, such as `403 policy`, or `would policy` if the guard only reported.
 */
export async function explore (t: Scope, name: string, seed: number, isEnough: (settings: number) => boolean) {
  const random = randomOf(seed)
  const one = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)] as Item
  let attempt!: Attempt
  const { origin } = await serve(t, ({ url }, response) => {
    const [status, body] = url === '/yes' ? [204, ''] as const : attempt.answer
    response.writeHead(status, { 'content-type': json, location: '/yes' }).end(body)
  })
  const [differences, seen] = [[] as string[], new Set<string>()]

  for (let settings = 0; !isEnough(settings) && differences.length < 10; settings++) {
    const drawn = settingOf(one)
    const setting = { ...drawn, reportOnly: one('', ...reportLists(drawn)) }
    const surface = surfaces[name]!(setting, {
      authorizeUrl: setting.asksBackend ? `${origin}/may-sign` : '',
      file: join(t.testdir(), 'policy.json'),
      current: () => attempt
    })
    const [predict, predictAll] = [modelOf(enforced(setting)), modelOf(allEnforced(setting))]
    const counts: Record<string, number> = {}

    for (let sent = 0; sent < 50; sent++) {
      const never = name === 'service' ? { auditFails: false } : { isOverloaded: false }
      attempt = { ...attemptOf(setting, one, share => random() < share), ...never }
      const { key, fault, twice, fields } = attempt
      const type = fault === undefined ? json : fault.type
      const first = twice === undefined || fields[twice] === undefined ? '' : `"${twice}":1,`
      const { status, headers, body } = await surface.send({
        payload: fault?.body ?? `{${first}${JSON.stringify(fields).slice(1)}`,
        headers: {
          ...type !== undefined && { 'content-type': type },
          ...key !== undefined && { authorization: `Bearer ${key}` }
        }
      })
      const decoded = { ...attempt, fields: JSON.parse(JSON.stringify(fields)), twice: first === '' ? undefined : twice }
      const [predictions, unreported] = [predict(decoded), predictAll(decoded)]

      const [code, { signature, error }] = [headers.get('error-code') ?? '', JSON.parse(body)]
      const text = String(signature ?? error)
      const right = predictions.find(([predicted, ofCode, pattern]) => predicted === status && ofCode === code &&
        (typeof pattern === 'string' ? text === pattern : pattern.test(text)))
      const differs = (what: string) => {
        const asked = JSON.stringify({ setting, key, twice, body: String(fault?.body ?? JSON.stringify(fields)) })
        differences.push(`${name}, seed ${seed}, ${asked}: ${what}`)
      }
      if (right === undefined) differs(`${status} ${code} ${text}, not ${predictions.join(' or ')}`)
      seen.add(`${status} ${code.replace(/;.*/, '')}`)

      const outcome = outcomes[status] ?? 'refused'
      counts[outcome] = (counts[outcome] ?? 0) + 1
      const audit = surface.decisions.pop() ?? {}
      if (unaudited.includes(code)) continue
      const wrong = faultInAudit(audit, outcome, text, right, setting)
      if (wrong !== undefined) differs(`audit ${JSON.stringify(audit)}, ${wrong}`)
      if (status !== 200) continue
      const codes = audit.wouldRefuse?.split(', ') ?? []
      const isReported = unreported.some(([status, code]) =>
        status === 200 ? codes.length === 0 : codes.includes(code))
      if (!isReported) differs(`would refuse ${audit.wouldRefuse}, not ${unreported.join(' or ')}`)
      for (const code of codes) seen.add(`would ${code.replace(/;.*/, '')}`)
    }

    const metrics = await surface.metrics()
    for (const [outcome, count] of Object.entries(counts)) {
      const series = new RegExp(`^payment_signature_decisions_total{.*outcome="${outcome}".*} (\\d+)$`, 'gm')
      const total = [...metrics.matchAll(series)].reduce((sum, [, value]) => sum + Number(value), 0)
      if (total === count) continue
      differences.push(`${name}, seed ${seed}, ${JSON.stringify(setting)}: ${total} × ${outcome} in the metrics, not ${count}`)
    }
    await surface.close()
  }
  return { differences, seen }
}
