import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp, createHandler, type AuditEntry } from '../../src/embed.js'
import { serve } from './backend.js'
import { Log } from './log.js'
import { attemptOf, enforced, json, modelOf, settingOf, sid, token } from './model.js'
import type { Attempt, Prediction, Setting } from './model.js'
import type { Scope } from './server.js'

type Audit = Partial<AuditEntry['audit']>
interface Sent { payload: string | Buffer, headers: Record<string, string>, path?: string }
interface Answer { status: number, headers: Headers, body: string }

/** The signing route in one of its two forms, with what a test observes. */
interface Surface {
  send: (sent: Sent) => Promise<Answer>
  /** Returns the decisions since the last call. */
  decisions: () => Audit[]
  /** Returns the metrics; undefined for a handler, which has no port for them. */
  metrics?: () => Promise<string>
  log: () => string
  close: () => Promise<unknown>
}

/** Surroundings of the signing route: its backend, a file for its policy, and the request that is sent. */
interface Surroundings { authorizeUrl: string, file: string, current: () => Pick<Attempt, 'auditFails'> }

const route = '/api/generate-signature'

/** Returns the variables of a setting, and writes its policy. */
function configOf ({ variant, callers, isStrict, rate, reports }: Setting, { authorizeUrl, file }: Surroundings) {
  writeFileSync(file, JSON.stringify({ callers }))
  return {
    ...{ NODE_ENV: 'test', MERCHANT_TOKEN: token, VARIANT: variant },
    ...{ STRICT: reports ? 'report' as const : isStrict ? 'true' as const : 'false' as const, AUTHORIZE_URL: authorizeUrl },
    RATE_LIMIT_MAX: rate,
    ...callers !== undefined && { POLICY_FILE: file }
  }
}

export const surfaces: Readonly<Record<string, (setting: Setting, surroundings: Surroundings) => Surface>> = {
  service (setting, surroundings) {
    const log = new Log()
    const auditFile = `${surroundings.file}.audit`
    writeFileSync(auditFile, '')
    const config = { ...configOf(setting, surroundings), ADMIN_PORT: 1, AUDIT_FILE: auditFile }
    const app = createApp({ logger: { stream: log }, config })
    async function send ({ path: url = route, ...sent }: Sent) {
      const { statusCode: status, headers, body } = await app.inject({ method: 'POST', url, ...sent })
      return { status, headers: new Headers(headers as Record<string, string>), body }
    }
    function decisions () {
      const lines = readFileSync(auditFile, 'utf8').trim().split('\n')
      truncateSync(auditFile)
      return lines.filter(line => line !== '').map(line => JSON.parse(line).audit)
    }
    return {
      send, decisions, metrics: () => app.metrics!.registry.metrics(), log: () => log.text, close: () => app.close()
    }
  },
  handler (setting, surroundings) {
    const [log, decisions] = [new Log(), [] as Audit[]]
    const handler = createHandler({
      config: configOf(setting, surroundings),
      logger: { stream: log },
      audit ({ audit }) {
        decisions.push(audit)
        if (surroundings.current().auditFails) throw new Error('canary')
      },
      clientAddress: () => '127.0.0.1'
    })
    async function send ({ payload, headers, path = route }: Sent) {
      // A Blob sets no content-type. Without a type, an empty Blob would count as a body of an unknown one.
      const body = payload.length === 0 ? null : new Blob([payload as never])
      const response = await handler(new Request(`https://pay.example${path}`, { method: 'POST', headers, body }))
      return { status: response.status, headers: response.headers, body: await response.text() }
    }
    return { send, decisions: () => decisions.splice(0), log: () => log.text, close: () => handler.close() }
  }
}

const outcomes: Readonly<Record<number, string>> = {
  ...{ 200: 'signed', 401: 'unauthenticated', 403: 'forbidden', 429: 'rate-limit', 503: 'unavailable' },
  ...{ 400: 'invalid', 413: 'invalid', 415: 'invalid', 500: 'invalid' }
}

/** Codes of refusals that strangers cause without end. */
const unaudited = ['rate-limit', 'api-key-required', 'api-key-unknown']

const sorted = (value: object) => JSON.stringify(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1))

/** Returns what the audit has that the model did not predict, or undefined. */
function faultInAudit (
  audit: Audit, outcome: string, text: string, right: Prediction | undefined
): string | undefined {
  if (JSON.stringify(audit).includes(sid)) return 'the sid in clear'
  if (outcome !== 'signed') return audit.outcome === outcome && audit.error === text ? undefined : `not ${outcome}, ${text}`
  const { wouldRefuse, clientAddress, keyId, ...terms } = audit
  const expected: Record<string, unknown> = { outcome, ...right?.[3] }
  return sorted(JSON.parse(JSON.stringify(terms))) === sorted(expected) ? undefined : `not ${sorted(expected)}`
}

/** Returns a generator of pseudo-random numbers from 0 to below 1 (mulberry32). Equal seeds yield equal sequences. */
function randomOf (seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
    const [status, body] = url === '/yes' ? [200, '{"allowed":true}'] as const : attempt.answer
    response.writeHead(status, { 'content-type': json, location: '/yes' }).end(body)
  })
  const [differences, seen] = [[] as string[], new Set<string>()]

  for (let settings = 0; !isEnough(settings) && differences.length < 10; settings++) {
    const setting = settingOf(one)
    const surface = surfaces[name]!(setting, {
      authorizeUrl: setting.asksBackend ? `${origin}/may-sign` : '',
      file: join(t.testdir(), 'policy.json'),
      current: () => attempt
    })
    const [predict, predictStrictly] = [modelOf(enforced(setting)), modelOf(setting)]
    const counts: Record<string, number> = {}

    for (let sent = 0; sent < 50; sent++) {
      const never = name === 'service' ? { auditFails: false } : {}
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
      const [predictions, unreported] = [predict(decoded), predictStrictly(decoded)]

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

      const outcome = code.startsWith('refused') ? 'refused' : outcomes[status] ?? 'refused'
      counts[outcome] = (counts[outcome] ?? 0) + 1
      const decisions = surface.decisions()
      if (unaudited.includes(code)) {
        if (decisions.length > 0) differs(`audited: ${JSON.stringify(decisions)}`)
        continue
      }
      const [audit = {}] = decisions
      if (code === 'audit-unavailable') continue
      const wrong = decisions.length === 1 ? faultInAudit(audit, outcome, text, right) : `${decisions.length} decisions`
      if (wrong !== undefined) differs(`audit ${JSON.stringify(audit)}, ${wrong}`)
      if (status !== 200) continue
      const isReported = unreported.some(([status, code]) => audit.wouldRefuse === (status === 200 ? undefined : code))
      if (!isReported) differs(`would refuse ${audit.wouldRefuse}, not ${unreported.join(' or ')}`)
      if (audit.wouldRefuse !== undefined) seen.add('would strict')
    }

    const metrics = await surface.metrics?.() ?? ''
    for (const [outcome, count] of Object.entries(metrics === '' ? {} : counts)) {
      const series = new RegExp(`^payment_signature_decisions_total{.*outcome="${outcome}".*} (\\d+)$`, 'gm')
      const total = [...metrics.matchAll(series)].reduce((sum, [, value]) => sum + Number(value), 0)
      if (total === count) continue
      differences.push(`${name}, seed ${seed}, ${JSON.stringify(setting)}: ${total} × ${outcome} in the metrics, not ${count}`)
    }
    await surface.close()
  }
  return { differences, seen }
}
