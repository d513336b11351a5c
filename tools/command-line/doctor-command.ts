import { randomUUID } from 'node:crypto'
import type { Variant } from '../../src/scheme/variants.js'
import { count, urlIn } from '../../src/command-line/arguments.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json, visible } from '../../src/text/characters.js'
import { NoResponseError, sendRequest, type HttpResponse } from '../../src/command-line/send-request.js'
import { readTokenFile } from '../../src/token/token-file.js'
import {
  apiPath, checkAddress, checkClock, checkCors, checkEncryption, checkErrors, checkHealth, checkSignatures, membersOf,
  skipped, unreachable, type Finding, type Subject
} from './doctor-checks.js'
import { fieldOptions, fieldsIn } from './request-input.js'
import { merchantFor, tokenFrom, withValue } from './scheme-input.js'
import { marksOf } from './report-text.js'

/** Number of signatures, each over a new connection. */
const signatures = 5

/** Time-out for each response, in milliseconds. */
const defaultTimeout = 5000

/** Returns the URL of a service without a query, a final slash, or the path of an endpoint. */
const baseOf = (url: URL): string =>
  url.origin + url.pathname.replace(/\/(?:health|ready|api\/generate-signature)$/, '').replace(/\/+$/, '')

async function apiKeyFrom (path: string | undefined, { env }: Io): Promise<string | undefined> {
  const key = path === undefined
    ? env.PAYMENT_SIGNATURE_API_KEY || undefined
    : await readTokenFile(path, '--api-key-file')
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key
  throw new CommandError('the API key must be ASCII without spaces')
}

function originIn (text: string | undefined): string | undefined {
  if (text === undefined || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)) return text
  throw new CommandError('--origin must be an origin as browsers send it, such as https://shop.example: no path, no trailing slash')
}

/** Returns the variant of GET /health; A for a service with both, whose part 1 is the same without an order id. */
const oneVariant = (text: unknown): Variant => text === 'B' ? 'B' : 'A'

/** Runs all checks and returns the findings by name, in the order of the report. */
export async function examine (subject: Subject): Promise<Map<string, Finding>> {
  const { base, origin, apiKey, probe, timeout } = subject
  const endpoint = new URL(base + apiPath)
  const post = (body: unknown) => sendRequest(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...apiKey !== undefined && { authorization: `Bearer ${apiKey}` },
      ...origin !== undefined && { origin }
    },
    body: JSON.stringify(body),
    timeout
  })
  const findings = new Map<string, Finding>()
  const encryption = checkEncryption(subject)
  if (encryption !== undefined) findings.set('encryption', encryption)
  try {
    const health = await sendRequest(new URL(`${base}/health`), { timeout })
    const healthFinding = checkHealth(subject, health)
    findings.set('health', healthFinding).set('clock', checkClock(health))

    const refusal = await post({})
    const address = checkAddress(subject, refusal)
    findings.set('address', address)
      .set('errors', address.status === 'ok' ? checkErrors(refusal) : skipped('address has to pass first'))
    findings.set('cors', origin === undefined
      ? skipped('to check it, pass the page\'s --origin')
      : checkCors(subject, origin, await sendRequest(endpoint, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
        timeout
      }), refusal))
    const signed: HttpResponse[] = []
    if (healthFinding.status === 'ok' && address.status === 'ok') {
      // Behind round robin, one request would always reach the same instance.
      while (signed.length < signatures) signed.push(await post(probe))
    }
    findings.set('signature', signed.length > 0
      ? checkSignatures(subject, subject.variant ?? oneVariant(membersOf(health).variant), signed)
      : skipped('health and address have to pass first'))
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    findings.set('connection', unreachable(base, error.message))
  }
  return findings
}

function report (base: string, findings: ReadonlyMap<string, Finding>, io: Io): string {
  const marks = marksOf(io)
  const width = Math.max(...[...findings.keys()].map(name => name.length))
  return `${base}\n` + [...findings].map(([name, { status, detail, advice }]) =>
    `${marks[status]} ${name.padEnd(width)}  ${visible(detail)}\n` +
    (advice === '' ? '' : `${' '.repeat(width + 4)}→ ${visible(advice)}\n`)).join('')
}

export const command = commandOf({
  help: `Usage: payment-signature doctor [options] URL

Checks a running service: health, clock, address (path prefix, redirects), errors, CORS, and signatures. For the last it
requests the signature of a purchase of 1.00 five times, over new connections that may reach different instances; flags
change that request. The token is used on this machine only, and never sent.

Options
  --origin ORIGIN             check CORS for pages of this origin, such as https://shop.example
  --token-file FILE           the token that the service signs with; or MERCHANT_TOKEN, MERCHANT_TOKEN_FILE
  --merchants FILE            the same of the merchant with the account number; or MERCHANTS_FILE
  --api-key-file FILE         the API key, for a service with a policy; or PAYMENT_SIGNATURE_API_KEY
  --timeout MILLISECONDS      for each response; default: ${defaultTimeout}
  --merchant-account-number … any field's flag, as in payment-signature sign --help
  --json                      { "url", "ok", "checks": [{ "name", "status", "detail", "advice" }] }

Exit code: 0 no check failed, 1 a check failed, 2 wrong usage

Example
  payment-signature doctor https://pay.example/payments --origin https://shop.example
`,

  options: {
    ...fieldOptions,
    ...withValue('origin', 'token-file', 'merchants', 'api-key-file', 'timeout'),
    json: { type: 'boolean' }
  },
  maxPositionals: 1,

  async run ({ values, positionals: [given] }, io) {
    if (given === undefined) throw new CommandError('pass the URL of the service, such as http://localhost:3001')
    const base = baseOf(urlIn(given))
    const fields = fieldsIn(values)
    const probe = {
      ...(fields.operationType === undefined ? { amount: '1.00' } : {}),
      ...(fields.accountNumber === undefined ? { merchantAccountNumber: '102551' } : {}),
      sid: randomUUID(),
      clientTimeStamp: Date.now(),
      ...fields
    }
    const merchant = await merchantFor(values, io, probe)
    const findings = await examine({
      base,
      origin: originIn(values.origin),
      apiKey: await apiKeyFrom(values['api-key-file'], io),
      merchantToken: merchant?.token() ?? await tokenFrom(values, io),
      variant: merchant?.variant,
      probe,
      timeout: count('timeout', values.timeout) ?? defaultTimeout
    })
    const isWell = [...findings.values()].every(({ status }) => status !== 'failed')
    io.stdout.write(values.json
      ? json({ url: base, ok: isWell, checks: [...findings].map(([name, finding]) => ({ name, ...finding })) })
      : report(base, findings, io))
    return isWell
  }
})
