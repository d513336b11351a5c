import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import Fastify from 'fastify'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json, visible } from '../../src/text/characters.js'
import { isJson, parseJson } from '../../src/text/json-file.js'
import type { AuditRecord } from '../../src/signing/options.js'
import { firstDuplicate, hasMoreValues } from '../../src/text/json-text.js'
import { signDefaults } from '../../src/guard/guarded.js'
import { irregularitiesOf } from '../../src/guard/irregularities.js'
import { accountsApart, knownKeys, policyFaults, policyRefusalOf, type Caller, type Policy } from '../../src/guard/policy.js'
import { strictRule } from '../../src/guard/strict.js'
import { refusalOf } from '../../src/signing/json-body.js'
import { maxValues, messages } from '../../src/http/messages.js'
import { errorCodeOf, policyError, RefusedError, schemeErrorCode } from '../../src/http/refused-error.js'
import { selectMerchant } from '../../src/token/merchants-in-use.js'
import type { Accounts } from '../../src/token/merchants-file.js'
import { InvalidRequestError, type SigningError } from '../../src/scheme/errors.js'
import { fields, type SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { bodyOfCurl, isCurl } from '../request-text/curl.js'
import { requestIn } from '../request-text/request-text.js'
import { nameOf, readText } from './read-text.js'
import { marksOf } from './report-text.js'
import { merchantsFrom, variantHelp, variantOf, withValue } from './scheme-input.js'
import { programName } from '../../src/text/program.js'

/**
 * Returns ACCOUNT_NUMBER_DIGITS.
 *
 * @throws CommandError the value is not allowed
 */
export function accountNumberDigits ({ env }: Io): number {
  const text = env.ACCOUNT_NUMBER_DIGITS ?? String(signDefaults.accountNumberDigits)
  if (/^0*(?:[1-9]|[12]\d|3[0-2])$/.test(text)) return Number(text)
  throw new CommandError('ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32')
}

/** The service that the policy is for, with the accounts of its merchants if it has a file of them. */
interface Service {
  readonly variant: Variant
  readonly accountNumberDigits: number
  readonly accounts: Accounts | undefined
  readonly acceptsBodyToken: boolean
}

interface Response {
  readonly status: number
  readonly code?: string
  readonly error?: string
}

/** Returns the body that a text contains: the JSON itself, if it is the request, or the request as JSON. */
function bodyIn (text: string, path: string): string {
  const request = JSON.stringify(requestIn(text, nameOf(path)))
  const body = isCurl(text) ? bodyOfCurl(text) : text
  return isJson(body) && JSON.stringify(JSON.parse(body)) === request ? body : request
}

/**
 * Parses a body as the service does.
 *
 * @throws RefusedError the service refuses the body
 */
function parsed (body: string): SignatureRequest {
  if (hasMoreValues(body, maxValues)) throw new RefusedError('body-invalid', messages.bodyTooManyValues)
  let request
  // Fastify calls back at once. Its parser refuses `__proto__` and `constructor.prototype`.
  Fastify().getDefaultJsonParser('error', 'error')(undefined as never, body, (_error, value) => { request = value })
  if (request === undefined) throw refusalOf(body)
  return request
}

/** Returns the response of the service to a body of a caller: the first fault, in the order of its guards. */
function responseTo (body: string, name: string, { callers }: Policy, service: Service): Response {
  const { variant, accounts, acceptsBodyToken } = service
  const caller = callers.find(caller => caller.name === name)
  if (caller === undefined && name !== 'anonymous') throw new CommandError(`the policy has no caller "${name}"`)
  if (caller === undefined) return { status: 401, code: 'api-key-required', error: messages.apiKeyRequired }
  try {
    const request = parsed(body)
    const { merchant, refusal: ofAccount } = accounts === undefined ? {} : selectMerchant(accounts, request, caller)
    if (ofAccount !== undefined) throw ofAccount
    const reading = (merchant?.signer ?? readerOf(variant)).read(request, true)
    if (!acceptsBodyToken && request.merchantToken) throw new InvalidRequestError('ERR_BODY_TOKEN')
    const duplicate = firstDuplicate(body, fields)
    const fault = duplicate === undefined
      ? strictRule(service.accountNumberDigits, true)(reading, irregularitiesOf(request, reading), Date.now())
      : `${duplicate} must be given only once`
    if (fault !== undefined) throw new InvalidRequestError('ERR_STRICT', fault)
    const refusal = policyRefusalOf(caller, reading)
    if (refusal !== undefined) throw policyError(refusal)
    return { status: 200 }
  } catch (thrown) {
    const { message: error } = thrown as RefusedError | InvalidRequestError | SigningError // there are no others
    if (thrown instanceof RefusedError) return { status: thrown.statusCode, code: errorCodeOf(thrown), error }
    const status = thrown instanceof InvalidRequestError ? 400 : 500
    return { status, code: schemeErrorCode(thrown as InvalidRequestError | SigningError), error }
  }
}

/** Returns the rule that refuses a recorded request; undefined if the policy allows the request. */
function ruleAgainst (audit: AuditRecord, { callers }: Policy): string | undefined {
  const caller = callers.find(({ name }) => name === audit.caller)
  if (caller === undefined) return 'callers'
  // The audit has no sid, which no rule compares.
  const { operation, variant, clientTimeStamp } = audit
  const operationType = operation === 'clear-cache' ? 'clearCache' : operation
  let reading
  try {
    reading = readerOf(variant === 'B' ? 'B' : 'A').read({ ...audit, operationType, sid: randomUUID(), clientTimeStamp }, true)
  } catch {
    return 'incomplete' // such as an account number that is an empty list, which is signed as an empty text
  }
  return policyRefusalOf(caller, reading)?.rule
}

/** Counts the signed requests of an audit file, and those that a policy would refuse, by caller and rule. */
async function judgeAudit (path: string, policy: Policy) {
  const fail = ({ code }: { code?: string }): never => { throw new CommandError(`${path} cannot be read (${code})`) }
  const file = await open(path).catch(fail)
  if ((await file.stat()).isDirectory()) await file.close().then(() => fail({ code: 'EISDIR' }))
  let [signed, unreadable] = [0, 0]
  const refused = new Map<string, { caller: string, rule: string, count: number }>()
  for await (const line of file.readLines()) {
    if (line === '') continue
    if (!isJson(line)) unreadable++
    const audit: AuditRecord | undefined = isJson(line) ? Object(JSON.parse(line)).audit : undefined
    if (audit?.outcome !== 'signed') continue
    signed++
    const rule = ruleAgainst(audit, policy)
    if (rule === undefined) continue
    const key = `${audit.caller} ${rule}`
    refused.set(key, { caller: audit.caller, rule, count: (refused.get(key)?.count ?? 0) + 1 })
  }
  if (signed === 0) throw new CommandError(`${path} has no audit line of a signed request`)
  return { signed, unreadable, refused: [...refused.values()].sort((one, other) => other.count - one.count) }
}

/** Returns a line for each consequence of a policy that its author may not expect. */
function policyNotes ({ callers }: Policy): string[] {
  const isAnyone = ({ anonymous, operations }: Caller): boolean =>
    anonymous === true && operations.some(operation => operation === 'refund' || operation === 'void')
  const isLister = ({ operations }: Caller): boolean => operations.includes('inquiry-without-id') || operations.includes('clear-cache')
  const isHalf = ({ operations }: Caller): boolean => operations.includes('inquiry') && !operations.includes('void')
  return [
    ...callers.filter(isAnyone).map(({ name }) => `caller "${name}" may have refunds or voids signed: so may everybody ` +
      'who reaches the service, unless AUTHORIZE_URL refuses'),
    ...callers.filter(isLister).map(({ name, anonymous }) => `caller "${name}" may inquire without a transactionId, and clear the ` +
      'cache, which has the same signature: the dates are not signed, so one such signature lists any period of the account' +
      (anonymous ? '; so may everybody who reaches the service, unless AUTHORIZE_URL refuses' : '')),
    ...callers.filter(isHalf).map(({ name }) => `caller "${name}" may inquire but not void: its inquiries by a transactionId ` +
      'of digits only, by FCRN or ORDER_ID, get 403, since their signatures are also those of voids; those by CORRUID, or ' +
      'by an order id with a letter, - or _, are signed')
  ]
}

export const command = commandOf({
  help: `Usage: payment-signature policy check FILE [--request REQUEST [--caller NAME] | --audit FILE]

Checks a policy file (POLICY_FILE) as the service does when it starts; - is standard input. NODE_ENV=production refuses
keys that the documentation shows. The environment counts, .env does not.

Options
  --request REQUEST           also print the service's response to a request, in a file as for payment-signature sign;
                              limits of size and rate, and your backend, are not judged
  --caller NAME               the caller of this request; default: anonymous
  --merchants FILE            the merchants of the service; or MERCHANTS_FILE
  --audit FILE                also count the signed requests of an audit file that the policy's rules would refuse;
                              strict fields are not judged: the audit has no types, and cuts long values
${variantHelp}  --json                      { "ok", "faults": ["…"], "notes": ["…"] }, "response" or "audit"

Exit code: 0 valid and nothing refused, 1 invalid or refused, 2 wrong usage

Example
  payment-signature policy check policy.json --request request.json --caller back-office
`,

  options: {
    ...withValue('request', 'caller', 'audit', 'merchants', 'variant'),
    json: { type: 'boolean' }
  },
  maxPositionals: 2,

  async run ({ values, positionals: [action, path] }, io) {
    if (action !== 'check' || path === undefined) throw new CommandError(`usage: ${programName(io.env)} policy check FILE`)
    if (values.request === undefined && values.caller !== undefined) throw new CommandError('--caller needs --request')
    const digits = accountNumberDigits(io)
    const accounts = (await merchantsFrom(values, io, { isStrict: true, accountNumberDigits: digits }))?.accounts
    const variant = variantOf(values, io)
    const text = await readText(path, io)
    const policy = parseJson(text, nameOf(path)) as Policy
    const faults = policyFaults(policy, {
      variant,
      accounts,
      accountNumberDigits: digits,
      isProduction: io.env.NODE_ENV === 'production'
    }, text)
    const isValid = faults.length === 0
    const notes = isValid ? policyNotes(policy) : []
    const warnings = isValid ? [...knownKeys(policy), ...accountsApart(policy, accounts)] : []
    for (const warning of warnings) io.stderr.write(`payment-signature: warning: ${visible(warning)}\n`)
    const marks = marksOf(io)
    const lines = isValid
      ? [`${marks.ok} callers: ${policy.callers.map(({ name }) => name).join(', ')}`, ...notes.map(note => `${marks.warning} ${note}`)]
      : faults.map(fault => `${marks.failed} ${visible(fault)}`)

    let ok = isValid
    let response
    let audit
    if (isValid && values.request !== undefined) {
      const body = bodyIn(await readText(values.request, io), values.request)
      response = responseTo(body, values.caller ?? 'anonymous', policy, {
        variant,
        accountNumberDigits: digits,
        accounts,
        acceptsBodyToken: accounts === undefined && io.env.ACCEPT_BODY_TOKEN !== 'false'
      })
      const { status, code, error } = response
      if (error !== undefined) ok = false
      lines.push(error === undefined ? `${marks.ok} 200, signed` : `${marks.failed} ${status} ${code}: ${visible(error)}`)
    }
    if (isValid && values.audit !== undefined) {
      audit = await judgeAudit(values.audit, policy)
      const total = audit.refused.reduce((sum, { count }) => sum + count, 0)
      if (total > 0) ok = false
      lines.push(`${total === 0 ? marks.ok : marks.failed} ${total} of ${audit.signed} signed requests would be refused by its ` +
        'rules; the strict fields are not judged: the audit has no types, and cuts long values')
      if (audit.unreadable > 0) lines.push(`${marks.warning} lines that could not be read, since they are not JSON: ${audit.unreadable}`)
      for (const { caller, rule, count } of audit.refused) lines.push(`  ${count} ${visible(caller)} (${rule})`)
    }
    io.stdout.write(values.json
      ? json({ ok, faults, notes, ...response && { response }, ...audit && { audit } })
      : lines.map(line => `${line}\n`).join(''))
    return ok
  }
})
