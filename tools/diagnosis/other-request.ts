import { keyCheckValue } from '../../src/merchants/key-check-value.js'
import type { SignatureRequest } from '../../src/scheme/request.js'
import { compare } from '../../src/scheme/verify.js'
import { quote } from '../explain/characters.js'
import { ownTokenOf } from '../explain/warnings.js'
import { contextOf, fieldText, kinds, knownFields, readLoosely, termNames, type Context, type TermName } from './context.js'
import { change, type Change, type DiagnoseOptions } from './diagnosis.js'
import { titleOf } from './schemes.js'

/** Returns the other request under the operation of the signed one, if it names no operation itself. */
function otherOf (request: SignatureRequest, otherRequest: NonNullable<DiagnoseOptions['otherRequest']>): SignatureRequest {
  const other = knownFields(otherRequest)
  if (fieldText(other.operationType) !== '') return other
  const isReversal = fieldText(request.operationType) === '' && fieldText(other.transactionFCRN) !== ''
  return { ...other, operationType: isReversal ? 'refund' : request.operationType }
}

/** Returns the change of the operation, if the other request has another one. */
function operationChange (request: SignatureRequest, { variant, otherRequest }: DiagnoseOptions): Change[] {
  if (otherRequest === undefined) return []
  const [own, other] = [request, otherOf(request, otherRequest)].map(some => readLoosely(variant, some)?.operation)
  if (own === other || own === undefined || other === undefined) return []
  const text = fieldText(request.operationType)
  const finding = text === ''
    ? `The ${other}'s operationType is missing, so the service signs a purchase.`
    : `operationType ${quote(text)} is signed as ${titleOf(own)}; the other request is ${titleOf(other)}.`
  const fix = `Send operationType ${other} to the service, with all fields of ${titleOf(other)}.`
  return [change('operation-other-request', finding, fix)]
}

/** Returns the change of a term. A token is shown by its key check value. */
function termChange (term: TermName, own: Context, other: Context): Change[] {
  const [signed, sent] = [own.terms[term], other.terms[term]]
  const fix = 'Send the payment side exactly what was signed: take each value from one place.'
  const name = `${kinds[term]}-other-request`
  if (signed === sent) return []
  if (term === 'merchantToken') {
    if (signed === '' || sent === '') return []
    return [change(name, 'The requests have different merchantToken: ' +
      `the key check value is ${keyCheckValue(signed)} for the signature, and ${keyCheckValue(sent)} in the other request.`,
    'Use the token of the same environment on both sides.')]
  }
  const isAbsent = (text: string): boolean => /^(?:undefined)?$/.test(text) || (term === 'orderIdOrNull' && text === 'null')
  const finding = `${(isAbsent(signed) ? other : own).subjects[term]} was ` +
    `${isAbsent(signed) ? 'not signed' : `signed with ${quote(signed)}`}; ` +
    `the other request has ${isAbsent(sent) ? 'none' : quote(sent)}.`
  return [change(name, finding, fix)]
}

/** Returns a change for each signed text that differs in the other request, which the payment side received. */
export function differencesOf (request: SignatureRequest, options: DiagnoseOptions): Change[] {
  const { variant, merchantToken = '', otherRequest } = options
  if (otherRequest === undefined) return []
  const own = contextOf(variant, request, merchantToken)
  const other = contextOf(variant, otherOf(request, otherRequest), '')
  if (own === undefined || other === undefined) return []
  return [...operationChange(request, options), ...termNames.flatMap(term => termChange(term, own, other))]
}

/** Returns the change of a missing operation, if a signature is that of the other request. */
export function missingOperation (signature: string, request: SignatureRequest, options: DiagnoseOptions): Change[] {
  const { variant, otherRequest = {} } = options
  const changes = fieldText(request.operationType) === '' ? operationChange(request, options) : []
  if (changes.length === 0) return []
  const other = otherOf(request, otherRequest)
  const token = options.merchantToken ?? (ownTokenOf(other) || ownTokenOf(request))
  const { part1, part2 } = compare(signature, other, { variant, merchantToken: token || '?' }) // part 1 has no token
  return part1 && (part2 || token === '') ? changes : []
}
