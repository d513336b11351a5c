import { assertArgument, isRequestError, UsageError } from '../../src/scheme/errors.js'
import { isRequest, type SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { compare } from '../../src/scheme/verify.js'
import { warningsOf, type Warning } from '../explain/warnings.js'
import { fromBase64, fromHex, utf8 } from './bytes.js'
import type { Part } from './context.js'
import type { DiagnoseOptions, Diagnosis, FileOptions, PartFinding } from './diagnosis.js'
import { findCauses } from './causes.js'
import { parseSignature, type Assignment } from './parse-signature.js'
import { hintsOf } from './hints.js'
import { afterMatch, missingOperation } from './matched.js'
import { othersOf } from './elsewhere.js'
import { schemesOf } from './schemes.js'
import { Search } from './search.js'
import { shapesOf, type Shape } from './shapes.js'
import { writtenBy } from './writers.js'

/** Returns the reason why a request cannot be signed as a hint, or warnings about likely mistakes. */
function lookAt (variant: Variant, request: SignatureRequest): { hints: string[], warnings: Warning[] } {
  try {
    return { hints: [], warnings: warningsOf(readerOf(variant).read(request, true), request) }
  } catch (failure) {
    if (!isRequestError(failure)) throw failure
    return { hints: [`The service would refuse this request: ${failure.message}.`], warnings: [] }
  }
}

/** Returns a hint if a signature contains the token; otherwise no hint. */
function publishedIn (signature: string, token: string): string[] {
  const decoded = [signature, ...signature.split('///').flatMap(part => [fromHex(part), fromBase64(part) ?? ''])]
  return token.length > 3 && decoded.some(text => text.includes(utf8(token)))
    ? ['The signature contains the merchant token. The token is published: replace it now.']
    : []
}

/** Returns the default limit of the texts that are hashed. */
export const usualTries = (isDeep = false): number => isDeep ? 300_000_000 : 1_300_000

/**
 * Searches for the most likely changes of the request, the token or the computation that yield `signature`, such as an
 * amount of 100 instead of 100.00. Part 1 contains no token, and is searched first. Its time stamp, amount and
 * reference are then known for part 2, which leaves order ID, token and account number.
 *
 * Malformed signatures and requests are reported in the result.
 *
 * @param signature - the expected or refused signature, in any form
 * @param request - the decoded JSON body as this side believes it was; `clientTimeStamp` is in epoch milliseconds
 * @throws UsageError `ERR_SIGNATURE`, `ERR_REQUEST`, `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`, `ERR_LIMIT`
 *
 * @example
 * const { causes, hints } = diagnose(signature, request, { variant: 'A', merchantToken })
 * for (const { finding, fix } of causes[0]?.changes ?? []) console.log(finding, fix)
 */
export function diagnose (signature: string, request: SignatureRequest, options: DiagnoseOptions): Diagnosis {
  return diagnoseInFile(signature, request, options)
}

/** The same for one of many requests in a file. */
export function diagnoseInFile (
  signature: string, request: SignatureRequest, options: DiagnoseOptions & FileOptions
): Diagnosis {
  options = Object(options) as typeof options // a missing argument gets the errors below
  const { variant, merchantToken, otherTokens = {}, otherRequest } = options
  const { maxChanges = 3, deep = false, maxTries = usualTries(deep), onProgress = () => {} } = options
  assertArgument(typeof signature === 'string', 'ERR_SIGNATURE')
  for (const token of [...merchantToken === undefined ? [] : [merchantToken], ...Object.values(otherTokens)]) {
    assertArgument(typeof token === 'string' && token !== '', 'ERR_MERCHANT_TOKEN')
  }
  const { hints, warnings } = lookAt(variant, request)
  if (otherRequest !== undefined) assertArgument(isRequest(otherRequest), 'ERR_REQUEST')
  if (![0, 1, 2, 3].includes(maxChanges) || !Number.isInteger(maxTries) || maxTries < 1) {
    throw new UsageError('ERR_LIMIT', 'maxChanges must be 0, 1, 2 or 3, and maxTries an integer above 0')
  }

  const schemes = schemesOf(request, options)
  const context = schemes[0]?.context
  const published = context === undefined ? [] : publishedIn(signature, context.terms.merchantToken)
  const parsed = (context === undefined ? undefined : writtenBy(signature, context)) ?? parseSignature(signature)
  if (typeof parsed === 'string' || context === undefined) {
    const all = [...published, ...hints, ...typeof parsed === 'string' ? [parsed] : []] // a value without a text has a hint already
    // A part may be whole, and the other cut.
    const verified = merchantToken === undefined ? undefined : compare(signature, request, { variant, merchantToken })
    const judged = (isRight = false): PartFinding => isRight ? 'matches' : 'unexplained'
    const [part1, part2] = [judged(verified?.part1), judged(verified?.part2)]
    return { valid: false, part1, part2, causes: [], hints: all, tries: 0, complete: true }
  }
  const operation = missingOperation(signature, request, options)
  if (operation.length > 0) {
    const part2 = context.terms.merchantToken === '' ? 'unsearched' : 'explained'
    const causes = [{ changes: operation, equallyLikely: 1 }]
    return { valid: false, part1: 'explained', part2, causes, hints, tries: 0, complete: true }
  }
  const search = new Search({ maxChanges, maxTries, onProgress })
  const [{ part1: first, part2: second }] = parsed.assignments as [Assignment]
  const digits = { part1: (first ?? second)!.length, part2: (second ?? first)!.length }
  const shapesIn = (part: Part, maxCost: number): Shape[] =>
    shapesOf(part, digits[part], schemes, maxCost, options.hypotheses)
  const found = findCauses(search, shapesIn, parsed, deep)
  const others = othersOf(context, options)
  const isTokenAlone = others.length > 0 && others.every(([, { terms }]) =>
    terms.orderIdOrNull === context.terms.orderIdOrNull && terms.accountNumber === context.terms.accountNumber)
  const { part1, part2, causes } = found
  const { tries, isExhausted } = search
  const isRight = part1 === 'matches' && (part2 === 'matches' || part2 === 'unsearched') && causes.length === 0
  const isPlain = parsed.changes.length === 0
  const after = isRight ? afterMatch(request, warnings, options) : undefined
  const { differences = [], next = [] } = after ?? {}
  const all = isRight && (!isPlain || differences.length > 0) ? [{ changes: differences, equallyLikely: 1 }] : causes
  const limit = isExhausted ? ['The search reached its limit before everything was tried.'] : []
  const isOpen = part1 === 'unexplained' || part2 === 'unexplained'
  // A finding quotes the text of a number like a text.
  const told = warnings.filter(({ code }) => isOpen || (code === 'not-a-string' && causes.length > 0)).map(({ message }) => message)
  const valid = isRight && part2 === 'matches' && isPlain && hints.length === 0
  const last = [...after?.warnings ?? told, ...valid ? next : [], ...limit]
  return {
    valid,
    part1,
    part2,
    causes: all.map(({ changes, equallyLikely }) => ({ equallyLikely, changes: [...parsed.changes, ...changes] })),
    hints: [...published, ...hints, ...hintsOf(found, variant, isTokenAlone, options.hypotheses?.size !== 0), ...last],
    tries,
    complete: !isExhausted
  }
}
