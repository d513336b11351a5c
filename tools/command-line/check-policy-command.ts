import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAnonymous, policyFaults, type PolicyCaller, type Policy } from '../../src/guards/policy/policy-schema.js'
import { documentedDigests } from '../../src/guards/policy/policy.js'
import { hash256 } from '../../src/scheme/signer.js'
import type { Variant } from '../../src/scheme/variants.js'
import { defaultDigits, type Environment } from '../../src/settings/environment.js'
import { firstDuplicate, isJson, parseJson } from '../../src/text/json.js'
import { visible } from '../explain/characters.js'
import { bodyOfCurl, isCurl } from '../request-text/curl.js'
import { requestIn } from '../request-text/request-text.js'
import { commandOf, fail, marksOf, text, type Io } from './command.js'
import { merchantsFrom, merchantsOption, nameOf, readText, variantOf, variantOption } from './input.js'

/**
 * Returns ACCOUNT_NUMBER_DIGITS.
 *
 * @throws CommandError the value is not allowed
 */
export function accountNumberDigits ({ env }: Io): number {
  const text = env.ACCOUNT_NUMBER_DIGITS ?? String(defaultDigits)
  if (/^0*(?:[1-9]|[12]\d|3[0-2])$/.test(text)) return Number(text)
  fail('ACCOUNT_NUMBER_DIGITS must be an integer from 1 to 32')
}

/** Returns a line for each fault of a policy, as the service finds them when it starts. */
export const faultsOf = (policy: unknown, variant: Variant, io: Io): string[] =>
  policyFaults(policy, variant, accountNumberDigits(io))

/** Returns the variant that the operations of a policy must fit: B if all merchants have it, as in the service. */
export const variantOfAll = (entries: ReadonlyArray<{ variant: Variant }>): Variant =>
  entries.every(({ variant }) => variant === 'B') ? 'B' : 'A'

/**
 * Reads a policy. Returns it with a line for each fault.
 *
 * @throws CommandError the file cannot be read
 */
export async function readPolicy (path: string, variant: Variant, io: Io) {
  const text = await readText(path, io)
  const policy = parseJson(text, nameOf(path)) as Policy
  const duplicate = firstDuplicate(text)
  const faults = duplicate === undefined ? faultsOf(policy, variant, io) : [`an object has ${JSON.stringify(duplicate)} twice`]
  return { policy, faults }
}

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
  if (!isAnonymous && !callers.some(caller => caller.name === name)) fail(`the policy has no caller "${name}"`)
  const { createApp } = await import('../../src/embed.js') // slow to load
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
const listed = ({ name, operations, maximumAmount }: PolicyCaller): string =>
  maximumAmount === undefined && (operations.includes('purchase') || operations.includes('refund')) ? `${name} (any amount)` : name

/** Returns a line for each consequence of a policy that its author may not expect. */
function policyNotes ({ callers }: Policy): string[] {
  const anyone = 'so may everybody who reaches the service, unless AUTHORIZE_URL refuses'
  return callers.flatMap(({ name, operations }) => {
    const anonymous = isAnonymous({ name })
    const may = (operation: PolicyCaller['operations'][number]): boolean => operations.includes(operation)
    const lists = may('inquiry-without-id')
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
  })
}

/** Returns a fault for each caller with a digest of the documents. */
const documentedFaults = ({ callers }: Policy): string[] => callers
  .filter(caller => documentedDigests.test(JSON.stringify(caller)))
  .map(({ name }) => `caller "${name}": the digest is that of the documents, whose key nobody has: paste one of new-key`)

export const command = commandOf({
  usage: 'FILE [--request REQUEST [--caller NAME]] [options]',
  help: `Checks a policy file (POLICY_FILE) as the service does when it starts, and that its digests are not those of the
documents; - is standard input.`,
  options: {
    request: text('REQUEST', 'also print the service\'s response to a request, in a file as for sign; the rate ' +
      'limit\nand your backend are not judged'),
    caller: text('NAME', 'the caller of this request; default: anonymous'),
    ...merchantsOption,
    ...variantOption
  },
  end: `Exit code: 0 valid, and the request is signed, 1 invalid or refused, 2 wrong usage, or an unreadable file

Example
  payment-signature check-policy policy.json --request request.json --caller back-office`,
  maxPositionals: 1,

  async run ({ values, positionals: [path] }, io) {
    const { request, caller } = values
    if (path === undefined) fail('missing FILE: the path of the policy, such as policy.json')
    if (request === undefined && caller !== undefined) fail('--caller needs --request')
    const digits = accountNumberDigits(io)
    const merchants = values['merchants-file'] ?? io.env.MERCHANTS_FILE
    const entries = await merchantsFrom({ 'merchants-file': merchants }, io, { strict: true, accountNumberDigits: digits })
    const variant = variantOf({ variant: values.variant ?? (entries && variantOfAll(entries)) }, io)
    const { policy, faults: found } = await readPolicy(path, variant, io)
    const faults = found.length > 0 ? found : documentedFaults(policy)
    const isValid = faults.length === 0
    const marks = marksOf(io)
    const lines = isValid
      ? [`${marks.ok} callers: ${policy.callers.map(listed).join(', ')}`,
          ...policyNotes(policy).map(note => `${marks.warning} ${note}`)]
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
    io.stdout.write(lines.map(line => `${line}\n`).join(''))
    return isValid && (response?.status ?? 200) === 200
  }
})
