import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { policyFaults, type Caller, type Policy } from '../../src/guards/policy-schema.js'
import { documentedDigests } from '../../src/guards/policy.js'
import { hash256 } from '../../src/scheme/signer.js'
import type { Variant } from '../../src/scheme/variants.js'
import { defaultDigits, type Environment } from '../../src/settings/environment.js'
import { firstDuplicate, isJson, parseJson } from '../../src/text/json.js'
import { json as jsonOf, visible } from '../explain/characters.js'
import { bodyOfCurl, isCurl } from '../request-text/curl.js'
import { requestIn } from '../request-text/request-text.js'
import { CommandError, commandOf, json, marksOf, text, type Io } from './command.js'
import { judgeAudit } from './policy-audit.js'
import { nameOf, readText } from './request-input.js'
import { merchantsFrom, merchantsOption, variantOf, variantOption } from './token-input.js'

/**
 * Returns ACCOUNT_NUMBER_DIGITS.
 *
 * @throws CommandError the value is not allowed
 */
export function accountNumberDigits ({ env }: Io): number {
  const text = env.ACCOUNT_NUMBER_DIGITS ?? String(defaultDigits)
  if (/^0*(?:[1-9]|[12]\d|3[0-2])$/.test(text)) return Number(text)
  throw new CommandError('ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32')
}

/** Returns a line for each fault of a policy, as the service finds them when it starts. */
export const faultsOf = (policy: unknown, variant: Variant, io: Io): string[] =>
  policyFaults(policy, variant, accountNumberDigits(io))

/** Returns the body that a text contains: the JSON itself, if it is the request, or the request as JSON. */
function bodyIn (text: string, path: string): string {
  const request = JSON.stringify(requestIn(text, nameOf(path)))
  const body = isCurl(text) ? bodyOfCurl(text) : text
  return isJson(body) && JSON.stringify(JSON.parse(body)) === request ? body : request
}

/** Returns the response of the service under a policy to a body of a caller, who gets a key of this process. */
async function responseTo (body: string, name: string, policy: Policy, config: Partial<Environment>) {
  const isAnonymous = name === 'anonymous'
  const callers = policy.callers.map(caller => caller.name === name && !isAnonymous
    ? { ...caller, apiKeySha256: hash256(name) }
    : caller)
  if (!isAnonymous && !callers.some(caller => caller.name === name)) throw new CommandError(`the policy has no caller "${name}"`)
  const { createApp } = await import('../../src/app.js') // slow to load
  const folder = await mkdtemp(join(tmpdir(), 'payment-signature-'))
  try {
    const POLICY_FILE = join(folder, 'policy.json')
    await writeFile(POLICY_FILE, JSON.stringify({ callers }))
    const app = createApp({ config: { ...config, POLICY_FILE }, logger: false })
    const headers = { 'content-type': 'application/json', ...!isAnonymous && { authorization: `Bearer ${name}` } }
    const { statusCode: status, headers: { 'error-code': code }, body: text } =
      await app.inject({ method: 'POST', url: '/api/generate-signature', body, headers })
    await app.close()
    return status === 200 ? { status } : { status, code: String(code), error: String(JSON.parse(text).error) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the name of a caller for the list; a caller without a limit of the amount is marked. */
const listed = ({ name, operations, maximumAmount }: Caller): string =>
  maximumAmount === undefined && (operations.includes('purchase') || operations.includes('refund')) ? `${name} (any amount)` : name

/** Returns a line for each consequence of a policy that its author may not expect. */
function policyNotes ({ callers }: Policy): string[] {
  const anyone = 'so may everybody who reaches the service, unless AUTHORIZE_URL refuses'
  const documented = callers.filter(caller => documentedDigests.test(JSON.stringify(caller))).map(({ name }) => name)
  const copied = `the digests of ${documented.join(', ')} are those of the documents, whose keys nobody has: paste those of "key new"`
  return [...documented.length === 0 ? [] : [copied], ...callers.flatMap(({ name, anonymous, operations }) => {
    const may = (operation: Caller['operations'][number]): boolean => operations.includes(operation)
    const lists = may('inquiry-without-id') || may('clear-cache')
    return [
      ...anonymous && (may('refund') || may('void'))
        ? [`caller "${name}" may have refunds or voids signed: ${anyone}`]
        : [],
      ...lists
        ? [`caller "${name}" may inquire without a transactionId, and clear the cache, which ` +
          'has the same signature: the ' +
          'dates are not signed, so one such signature lists any period of the account' + (anonymous ? `; ${anyone}` : '')]
        : [],
      ...may('inquiry') && !may('void')
        ? [`caller "${name}" may inquire but not void: inquiries by FCRN, or by an order id of digits, get 403`]
        : []
    ]
  })]
}

export const command = commandOf({
  usage: 'check FILE [--request REQUEST [--caller NAME]] [--audit FILE] [options]',
  help: `Checks a policy file (POLICY_FILE) as the service does when it starts; - is standard input. The environment counts,
.env does not.`,
  options: {
    request: text('REQUEST', 'also print the service\'s response to a request, in a file as for sign; the rate ' +
      'limit\nand your backend are not judged'),
    caller: text('NAME', 'the caller of this request; default: anonymous'),
    audit: text('FILE', 'also count the signed requests of an audit file that the rules would refuse; strict\n' +
      'fields are not judged: the audit has no types, and cuts long values'),
    ...merchantsOption,
    ...variantOption,
    ...json('{ "ok", "faults": ["…"], "notes": ["…"] }, "response" or "audit"')
  },
  end: `Exit code: 0 valid and nothing refused, 1 invalid or refused, 2 wrong usage, or no policy

Example
  payment-signature policy check policy.json --request request.json --caller back-office`,
  maxPositionals: 2,

  async run ({ values, positionals: [action, path] }, io) {
    const { request, caller, audit: auditPath } = values
    if (action !== 'check' || path === undefined) throw new CommandError('usage: payment-signature policy check FILE [options]; see --help')
    if (request === undefined && caller !== undefined) throw new CommandError('--caller needs --request')
    const digits = accountNumberDigits(io)
    const merchants = values.merchants ?? io.env.MERCHANTS_FILE
    const entries = await merchantsFrom({ merchants }, io, { strict: true, accountNumberDigits: digits })
    const ofMerchants = entries && (entries.every(({ variant }) => variant === 'B') ? 'B' : 'A') // as in the service
    const variant = variantOf({ variant: values.variant ?? ofMerchants }, io)
    const text = await readText(path, io)
    const policy = parseJson(text, nameOf(path)) as Policy
    const duplicate = firstDuplicate(text)
    const faults = duplicate === undefined ? faultsOf(policy, variant, io) : [`an object has ${JSON.stringify(duplicate)} twice`]
    const isValid = faults.length === 0
    const notes = isValid ? policyNotes(policy) : []
    const marks = marksOf(io)
    const lines = isValid
      ? [`${marks.ok} callers: ${policy.callers.map(listed).join(', ')}`,
          ...notes.map(note => `${marks.warning} ${note}`)]
      : faults.map(fault => `${marks.failed} ${visible(fault)}`)
    const signing = merchants ? { MERCHANTS_FILE: merchants } : { VARIANT: variant, MERCHANT_TOKEN: randomUUID() }
    const response = !isValid || request === undefined
      ? undefined
      : await responseTo(bodyIn(await readText(request, io), request), caller ?? 'anonymous', policy,
        { ...signing, ACCOUNT_NUMBER_DIGITS: digits })
    if (response !== undefined) {
      const { status, code, error = '' } = response
      lines.push(status === 200 ? `${marks.ok} 200, signed` : `${marks.failed} ${status} ${code}: ${visible(error)}`)
    }
    const audit = isValid && auditPath !== undefined ? await judgeAudit(auditPath, policy) : undefined
    const refused = audit?.refused.reduce((sum, { count }) => sum + count, 0) ?? 0
    if (audit !== undefined) {
      lines.push(`${refused === 0 ? marks.ok : marks.failed} ${refused} of ${audit.signed} signed requests would be ` +
        'refused by its rules; the strict fields are not judged: the audit has no types, and cuts long values',
      ...audit.unreadable === 0 ? [] : [`${marks.warning} lines that are not JSON: ${audit.unreadable}`],
      ...audit.refused.map(({ caller, rule, count }) => `  ${count} ${visible(caller)} (${rule})`))
    }
    const ok = isValid && (response?.status ?? 200) === 200 && refused === 0
    io.stdout.write(values.json
      ? jsonOf({ ok, faults, notes, ...response && { response }, ...audit && { audit } })
      : lines.map(line => `${line}\n`).join(''))
    return ok
  }
})
