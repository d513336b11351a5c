import type { SignatureRequest } from '../../src/scheme/request.js'
import { compare } from '../../src/scheme/verify.js'
import { quote } from '../../src/text/characters.js'
import { keyCheckValue } from '../../src/token/key-check-value.js'
import { ownTokenOf, type Warning } from '../explain/warnings.js'
import { contextOf, fieldText, kinds, knownFields, type Context, type TermName } from './context.js'
import { change, type Change, type DiagnoseOptions } from './diagnosis.js'
import { readLoosely } from './read-loosely.js'

type Options = Pick<DiagnoseOptions, 'variant' | 'merchantToken' | 'otherRequest'>

const titleOf = (operation = ''): string => `${operation === 'inquiry' ? 'an' : 'a'} ${operation}`

/** Returns the other request under the operation of the signed one, if it names no operation itself. */
function otherOf (request: SignatureRequest, otherRequest: NonNullable<Options['otherRequest']>): SignatureRequest {
  const other = knownFields(otherRequest)
  if (fieldText(other.operationType) !== '') return other
  const isReversal = fieldText(request.operationType) === '' && fieldText(other.transactionFCRN) !== ''
  return { ...other, operationType: isReversal ? 'refund' : request.operationType }
}

/** Returns the change of the operation, if the other request has another one. */
function operationChange (request: SignatureRequest, { variant, otherRequest }: Options): Change[] {
  if (otherRequest === undefined) return []
  const [own, other] = [request, otherOf(request, otherRequest)].map(some => readLoosely(variant, some)?.operation)
  if (own === other || own === undefined || other === undefined) return []
  const text = fieldText(request.operationType)
  return [change('operation-other-request', text === ''
    ? `The ${other}'s operationType is missing, so the service signs a purchase.`
    : `operationType ${quote(text)} is signed as ${titleOf(own)}; the other request is ${titleOf(other)}.`,
  `Send operationType ${other} to the service, with all fields of ${titleOf(other)}.`)]
}

/** Returns the change of a term. A token is shown by its key check value. */
function termChange (term: TermName, signed: Context, other: Context): Change[] {
  const [own, theirs] = [signed, other].map(({ terms }) => terms[term]) as [string, string]
  const isAbsent = (text: string): boolean => /^(?:undefined)?$/.test(text) || (term === 'orderIdOrNull' && text === 'null')
  const name = `${kinds[term]}-other-request`
  const fix = 'Send the payment side exactly what was signed: take each value from one place.'
  if (own === theirs) return []
  if (term === 'merchantToken') {
    if (own === '' || theirs === '') return []
    return [change(name, `The requests have different merchantToken: the key check value is ${keyCheckValue(own)} for the ` +
      `signature, and ${keyCheckValue(theirs)} in the other request.`, 'Use the token of the same environment on both sides.')]
  }
  const subject = (isAbsent(own) ? other : signed).subjects[term]
  const was = isAbsent(own) ? 'not signed' : `signed with ${quote(own)}`
  const finding = `${subject} was ${was}; the other request has ${isAbsent(theirs) ? 'none' : quote(theirs)}.`
  return [{ ...change(name, finding, fix), texts: { signed: own, sent: theirs } }]
}

/** Returns a change for each signed text that differs in the other request, which the payment side received. */
export function differencesOf (request: SignatureRequest, options: Options): Change[] {
  const { variant, merchantToken = '', otherRequest } = options
  if (otherRequest === undefined) return []
  const sent = otherOf(request, otherRequest)
  const [signed, other] = [contextOf(variant, request, merchantToken), contextOf(variant, sent, '')]
  if (signed === undefined || other === undefined) return []
  const names = Object.keys(kinds) as TermName[]
  return [...operationChange(request, options), ...names.flatMap(term => termChange(term, signed, other))]
}

/** Returns the change of a missing operation, if a signature is that of the other request. */
export function missingOperation (signature: string, request: SignatureRequest, options: Options): Change[] {
  const { variant, otherRequest = {} } = options
  const changes = fieldText(request.operationType) === '' ? operationChange(request, options) : []
  if (changes.length === 0) return []
  const other = otherOf(request, otherRequest)
  const token = options.merchantToken ?? (ownTokenOf(other) || ownTokenOf(request))
  const { part1, part2 } = compare(signature, other, { variant, merchantToken: token || '?' }) // part 1 has no token
  return part1 && (part2 || token === '') ? changes : []
}

/**
 * Returns what differs in the other request, warnings and what to check next, for a request whose signature matches.
 *
 * @param warnings - the warnings of `explain`
 */
export function afterMatch (request: SignatureRequest, warnings: readonly Warning[], options: Options) {
  const { variant, merchantToken = ownTokenOf(request), otherRequest } = options
  const differences = differencesOf(request, options)
  const next = [
    otherRequest === undefined
      ? 'If it is refused: was exactly this sent to the payment side? Compare it, as the other request (--other-request).'
      : 'The other request has the same signed texts.',
    `Does the payment side have this token, key check value ${keyCheckValue(merchantToken)}? ` +
      'A right token of another environment, such as test, is refused too.',
    `Does the payment side expect variant ${variant}?`
  ]
  // The given token was used, not that of the request.
  const told = warnings.filter(({ code }) => code !== 'token-in-request' || options.merchantToken === undefined)
  return { differences, warnings: told.map(({ message }) => message), next: differences.length === 0 ? next : [] }
}
