import { titleOf } from '../../src/guards/strict/irregularities.js'
import { alsoSignedLike } from '../../src/scheme/same-signature.js'
import { assertArgument } from '../../src/scheme/errors.js'
import type { Field, Operation, Reading, SignatureRequest, TermName } from '../../src/scheme/request.js'
import { hash256, preImagesOf } from '../../src/scheme/signer.js'
import { readerOf, rulesOf, type Variant } from '../../src/scheme/variants.js'
import { ownTokenOf, warningsOf, type Warning } from './warnings.js'

/** Text that replaces the token. */
const tokenMask = '<merchantToken>'

interface ExplainedTerm {
  readonly name: TermName
  /** The text that is hashed; `<merchantToken>` for the token. */
  readonly text: string
  /** The field of the text, or a reason: `amount`, or `nothing: a void does not use the amount`. */
  readonly source: string
}

export interface ExplainedPart {
  /** The text that is hashed, with `<merchantToken>` for the token. */
  readonly preImage: string
  /** SHA-256 in 64 lowercase hexadecimal digits. Undefined for part 2 without a token. */
  readonly digest: string | undefined
}

export interface Explanation {
  readonly variant: Variant
  readonly operation: Operation
  /** Another operation for which the signature is valid. */
  readonly alsoSignedLike: 'void' | 'inquiry' | 'clearCache' | undefined
  /** Terms in the order of their first use. The order term exists only in variant A. */
  readonly terms: readonly ExplainedTerm[]
  readonly part1: ExplainedPart
  readonly part2: ExplainedPart
  /** `<part1>///<part2>`. Undefined without a token. */
  readonly signature: string | undefined
  /** Legal properties of the request that are often mistakes. */
  readonly warnings: readonly Warning[]
}

/**
 * Returns the field that a text came from; for an empty text `nothing` and the reason.
 *
 * @param unused - the reason if the text has no field
 */
function from (field: Field | undefined, request: SignatureRequest, text: string, unused = ''): string {
  if (field === undefined) return `nothing: ${unused}`
  if (text !== '') return field
  const value = request[field]
  if (value === undefined) return `nothing: ${field} is absent`
  if (value === null) return `nothing: ${field} is null`
  return `nothing: ${field} ${value === '' ? 'is empty' : `has the text ${String(value)}, which counts as empty`}`
}

function orderSource (request: SignatureRequest, reading: Reading): string {
  const { sources: { orderId, idType }, orderIdOrNull, referenceNumber } = reading
  if (idType === undefined) {
    const source = from(orderId, request, orderIdOrNull === 'null' ? '' : orderIdOrNull,
      `${titleOf(reading)} has no order id`)
    return source.replace(/^nothing/, 'the text null')
  }
  if (orderIdOrNull !== 'null') return `${orderId}, since ${idType} is ORDER_ID`
  return referenceNumber === '' ? `the text null: there is no ${orderId}` : `the text null: ${idType} is not ORDER_ID`
}

function sourceOf (name: TermName, request: SignatureRequest, reading: Reading): string {
  const { sources: { amount, referenceNumber } } = reading
  switch (name) {
    case 'amount': return from(amount, request, reading.amount, `${titleOf(reading)} does not use the amount`)
    case 'referenceNumber': return from(referenceNumber, request, reading.referenceNumber,
      `${titleOf(reading)} has no reference`)
    case 'orderIdOrNull': return orderSource(request, reading)
    case 'merchantToken': return ownTokenOf(request) !== '' ? 'merchantToken of the request' : 'the configured token'
    case 'accountNumber': return reading.accountNumberField
    default: return name
  }
}

/** @param merchantToken - empty if there is none */
function explainPart (
  part: 'part1' | 'part2', reading: Reading, merchantToken: string
): ExplainedPart {
  const rules = rulesOf(reading.variant)
  return {
    preImage: preImagesOf(rules, reading, tokenMask)[part],
    digest: merchantToken !== '' || part === 'part1' ? hash256(preImagesOf(rules, reading, merchantToken)[part]) : undefined
  }
}

/**
 * Explains the signature of a request: each term with its source, both texts that are hashed, with the token masked,
 * their digests, and warnings about likely mistakes.
 *
 * @param request - the decoded JSON body; `clientTimeStamp` is in epoch milliseconds
 * @param scheme - the variant and the merchant token; without the token the second digest is unknown
 * @throws InvalidRequestError a required field is missing, or the amount is not positive (specification 4.1)
 * @throws SigningError `ERR_SID_INVALID` or `ERR_NOT_TEXT` (specification 4.3, 4.4)
 * @throws UsageError `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 *
 * @example
 * const { terms, part1, warnings } = explain(request, { variant: 'A' })
 * for (const { name, text, source } of terms) console.log(name, JSON.stringify(text), 'from', source)
 */
export function explain (
  request: SignatureRequest, scheme: { readonly variant: Variant, readonly merchantToken?: string | undefined }
): Explanation {
  const { variant, merchantToken }: typeof scheme = Object(scheme) // a missing argument gets the errors below
  if (merchantToken !== undefined) {
    assertArgument(merchantToken !== '' && typeof merchantToken === 'string', 'ERR_MERCHANT_TOKEN')
  }
  const reading = readerOf(variant).read(request)
  const token = ownTokenOf(request) || (merchantToken ?? '')
  const part1 = explainPart('part1', reading, token)
  const part2 = explainPart('part2', reading, token)

  const { parts } = rulesOf(variant)
  const names = [...new Set([...parts.part1, ...parts.part2])]
  return {
    variant,
    operation: reading.operation,
    alsoSignedLike: alsoSignedLike(reading),
    terms: names.map(name => ({
      name,
      text: name === 'merchantToken' ? tokenMask : reading[name],
      source: sourceOf(name, request, reading)
    })),
    part1,
    part2,
    signature: token !== '' ? `${part1.digest}///${part2.digest}` : undefined,
    warnings: warningsOf(reading, request)
  }
}
