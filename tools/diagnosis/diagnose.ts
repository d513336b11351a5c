import { keyCheckValue } from '../../src/merchants/key-check-value.js'
import { assertArgument, isRequestError } from '../../src/scheme/errors.js'
import { isRequest, type SignatureRequest } from '../../src/scheme/request.js'
import { readerOf, rulesOf, type Variant } from '../../src/scheme/variants.js'
import { compare } from '../../src/scheme/verify.js'
import { ownTokenOf, warningsOf, type Warning } from '../explain/warnings.js'
import { fromBase64, fromHex, utf8 } from './bytes.js'
import type { Part } from './context.js'
import { type Change, type DiagnoseOptions, type Diagnosis, type FileOptions, type PartFinding } from './diagnosis.js'
import { changesOf } from './facts.js'
import { differencesOf, missingOperation } from './other-request.js'
import { writtenBy } from './printed.js'
import { schemesOf } from './schemes.js'
import { findMistakes, Search, type Found } from './search.js'
import { shapesOf, tiers, type Shape } from './shapes.js'
import { parseSignature, type Assignment } from './signature.js'

/** Returns the reason why a request cannot be signed as a hint, or warnings about likely mistakes. */
function lookAt (variant: Variant, request: SignatureRequest): { hints: string[], warnings: Warning[] } {
  try {
    return { hints: [], warnings: warningsOf(readerOf(variant).read(request), request) }
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

/** Returns what to check next for a request whose signature matches. */
const nextSteps = (token: string, { variant, otherRequest }: DiagnoseOptions): string[] => [
  otherRequest === undefined
    ? 'If it is refused: was exactly this sent to the payment side? Compare it, as the other request (--other-request).'
    : 'The other request has the same signed texts.',
  `Does the payment side have this token, key check value ${keyCheckValue(token)}? ` +
    'A right token of another environment, such as test, is refused too.',
  `Does the payment side expect variant ${variant}?`
]

/** Hypotheses of mistakes that a program makes in both parts. */
const ofBothParts = /^(?:amount|timestamp|terms|text|digest|hashed)-|^(?:hmac|nothing-hashed|operation|variant)$/

/** Returns sentences about the parts that are unexplained or not searched. */
function hintsOf (part1: PartFinding, part2: PartFinding, changes: readonly Change[], variant: Variant): string[] {
  const hasOrder = rulesOf(variant).parts.part2.includes('orderIdOrNull')
  const settled = (part: number, finding: PartFinding, names: string): string => finding === 'matches'
    ? `Part ${part} matches: ${names} are right.`
    : `Part ${part} is explained${hasTerms ? `: besides the causes above, ${names} are right` : ''}.`
  const hasTerms = changes.every(({ hypothesis }) =>
    !/^(?:nothing|body)-hashed$|^terms-(?:selected|of-other-part)$/.test(hypothesis))
  const isSame = changes.some(({ hypothesis }) => ofBothParts.test(hypothesis))
  const same = isSame ? 'probably has the same mistake, and ' : ''
  const hints: string[] = []
  if (part1 !== 'unexplained') {
    if (part2 === 'matches' || part2 === 'explained') return []
    hints.push(settled(1, part1, 'the time stamp, sid, amount and reference in part 1'))
  } else if (part2 === 'unexplained' || part2 === 'unsearched') {
    hints.push('Part 1 differs, and does not contain the token. ' +
      `Likely another ${part2 === 'unsearched' ? 'sid or ' : ''}clientTimeStamp was signed: ` +
      'generate sid and clientTimeStamp once, for the signature and the payment request. Otherwise, compare the text that the signing side ' +
      'hashes with that of payment-signature explain. If the texts are equal, the encoding differs (UTF-8), or the ' +
      'algorithm (SHA-256, not Keccak or SM3).')
  } else {
    hints.push(`${settled(2, part2, 'the token, and the time stamp, amount and reference in part 2,')} Part 1 ${same}` +
      'differs in something else, most often the sid: ' +
        'generate the sid once, for the signature and the payment request.')
  }
  if (part2 === 'unsearched') {
    hints.push('Part 2 was not searched, because there is no token. ' +
      `${isSame ? 'It probably has the same mistake. ' : ''}Part 2 also contains the ` +
      `${hasOrder ? 'order id, ' : ''}account number and token.`)
  } else if (part2 === 'unexplained' && part1 !== 'unexplained') {
    hints.push(`Part 2 ${same}differs: compare the token with the signer's by its key check value, then the ` +
      `${hasOrder ? 'order id and ' : ''}account number.`)
  }
  return hints
}

/** Default limit of the texts that are hashed. */
export const usualTries = 1_300_000

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
export const diagnose = (signature: string, request: SignatureRequest, options: DiagnoseOptions): Diagnosis =>
  diagnoseInFile(signature, request, options)

/** Returns the findings for a signature without a search for the mistake. */
export const judge = (signature: string, request: SignatureRequest, options: DiagnoseOptions): Diagnosis =>
  ({ ...diagnoseInFile(signature, request, { ...options, hypotheses: new Set() }), tries: 0 })

/** The same as {@link diagnose} for one of many requests in a file. */
export function diagnoseInFile (signature: string, request: SignatureRequest, options: FileOptions): Diagnosis {
  options = Object(options) as typeof options // a missing argument gets the errors below
  const { variant, merchantToken, otherTokens = {}, otherRequest, maxTries = usualTries, hypotheses } = options
  assertArgument(typeof signature === 'string', 'ERR_SIGNATURE')
  for (const token of [...merchantToken === undefined ? [] : [merchantToken], ...Object.values(otherTokens)]) {
    assertArgument(typeof token === 'string' && token !== '', 'ERR_MERCHANT_TOKEN')
  }
  const { hints, warnings } = lookAt(variant, request)
  if (otherRequest !== undefined) assertArgument(isRequest(otherRequest), 'ERR_REQUEST')
  const isLimit = Number.isInteger(maxTries) && maxTries > 0
  assertArgument(isLimit, 'ERR_LIMIT')

  const schemes = schemesOf(request, options)
  const { terms } = schemes[0]?.context ?? {}
  const published = terms === undefined ? [] : publishedIn(signature, terms.merchantToken)
  const written = terms === undefined ? undefined : writtenBy(signature, schemes[0]!.context)
  const parsed = written ?? parseSignature(signature)
  const base = { valid: false, causes: [], tries: 0, complete: true }
  if (typeof parsed === 'string' || terms === undefined) {
    // A part may be whole, and the other cut. A value without a text has a hint already.
    const verified = merchantToken === undefined ? undefined : compare(signature, request, { variant, merchantToken })
    const judged = (isRight = false): PartFinding => isRight ? 'matches' : 'unexplained'
    const all = [...published, ...hints, ...typeof parsed === 'string' ? [parsed] : []]
    return { ...base, part1: judged(verified?.part1), part2: judged(verified?.part2), hints: all }
  }
  const operation = missingOperation(signature, request, options)
  if (operation.length > 0) {
    const part2 = terms.merchantToken === '' ? 'unsearched' : 'explained'
    return { ...base, part1: 'explained', part2, causes: [{ changes: operation }], hints }
  }
  const search = new Search(maxTries)
  const [{ part1: first, part2: second }] = parsed.assignments as [Assignment]
  const digits = { part1: (first ?? second)!.length, part2: (second ?? first)!.length }
  const made = new Map<string, readonly Shape[]>()
  /** Returns the shapes that can have a cost. */
  const shapesIn = (part: Part, cost: number): readonly Shape[] => {
    const tier = tiers.find(tier => cost <= tier)!
    const key = `${part} ${tier}`
    return made.get(key) ?? made.set(key, shapesOf(part, digits[part], schemes, tier, hypotheses)).get(key)!
  }
  return { ...base, ...concluded(findMistakes(search, shapesIn, parsed.assignments)) }

  function concluded ({ part1, part2, assignment, ways }: Found): Omit<Diagnosis, 'valid'> & { valid: boolean } {
    const told = ways.map(way => [...(assignment?.changes ?? []), ...changesOf(way)])
    const texts = told.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
    const found = told.filter((changes, index) => changes.length > 0 && texts.indexOf(texts[index]!) === index)
    const isRight = part1 === 'matches' && (part2 === 'matches' || part2 === 'unsearched') && (told[0] ?? []).length === 0
    const differences = isRight ? differencesOf(request, options) : []
    const isPlain = (parsed as Exclude<typeof parsed, string>).changes.length === 0
    const all = isRight ? (isPlain && differences.length === 0 ? [] : [differences]) : found
    const valid = isRight && part2 === 'matches' && isPlain && hints.length === 0
    const isOpen = part1 === 'unexplained' || part2 === 'unexplained'
    // A finding quotes the text of a number like a text. The given token was used, not that of the request.
    const shown = warnings.filter(({ code }) => isRight
      ? code !== 'token-in-request' || merchantToken === undefined
      : isOpen || (code === 'not-a-string' && found.length > 0))
    return {
      valid,
      part1,
      part2,
      causes: all.map(changes => ({ changes: [...(parsed as Exclude<typeof parsed, string>).changes, ...changes] })),
      hints: [
        ...published, ...hints, ...hintsOf(part1, part2, found[0] ?? [], variant),
        ...shown.map(({ message }) => message),
        ...valid && differences.length === 0 ? nextSteps(merchantToken ?? ownTokenOf(request), options) : [],
        ...search.isExhausted ? ['The search reached its limit before everything was tried.'] : []
      ],
      tries: search.tries,
      complete: !search.isExhausted
    }
  }
}
