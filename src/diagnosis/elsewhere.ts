import type { SignatureRequest } from '../scheme/request.js'
import type { Replacement } from './alternatives.js'
import { fieldText } from './context.js'
import type { Context, TermName } from './context.js'
import type { DiagnoseOptions } from './diagnosis.js'

/** Texts that were taken from elsewhere for a term. */
interface Rule {
  readonly name: string
  readonly cost: number
  readonly terms: readonly TermName[]
  readonly texts: (context: Context) => readonly string[]
  readonly says: string
  readonly fix: string
}

const isInquiry = ({ operation }: Context): boolean => operation === 'inquiry'
const orNull = (orderId: unknown): string => fieldText(orderId) || 'null'

const rules: readonly Rule[] = [
  {
    name: 'amount-not-ignored',
    cost: 2,
    terms: ['amount'],
    texts: ({ operation, request }) => operation === 'void' || operation === 'inquiry' ? [fieldText(request.amount), '0', '0.00', '0.0'] : [],
    says: 'the amount was used for an operation that ignores it',
    fix: 'Purchases and refunds sign the amount; voids and inquiries sign an empty text.'
  },
  {
    name: 'fcrn-as-order-id',
    cost: 4,
    terms: ['orderIdOrNull'],
    texts: ({ request }) => [fieldText(request.transactionFCRN)],
    says: 'transactionFCRN was copied into the order id',
    fix: 'Leave the order id empty if there is none: the order term is then the text null.'
  },
  {
    name: 'id-type',
    cost: 4,
    terms: ['orderIdOrNull'],
    texts: context => !isInquiry(context)
      ? []
      : context.terms.orderIdOrNull === 'null' ? [orNull(context.request.transactionId)] : ['null'],
    says: 'idType was read differently: transactionId is the order id only if idType is ORDER_ID, in any case',
    fix: 'Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.'
  },
  {
    name: 'order-id-of-inquiry',
    cost: 4,
    terms: ['orderIdOrNull'],
    texts: context => isInquiry(context) ? [orNull(context.request.orderId)] : [],
    says: 'it was taken from the field orderId',
    fix: 'The order id of an inquiry is transactionId, when idType is ORDER_ID; otherwise the text null.'
  },
  {
    name: 'reference-from-another-field',
    cost: 4,
    terms: ['referenceNumber'],
    texts: ({ request }) => [request.transactionFCRN, request.transactionId, request.orderId].map(fieldText),
    says: 'it was taken from another field',
    fix: 'A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.'
  },
  {
    name: 'account-number-other-field',
    cost: 4,
    terms: ['accountNumber'],
    texts: ({ request }) => [request.accountNumber, request.merchantAccountNumber].map(fieldText),
    says: 'it was taken from the other of accountNumber and merchantAccountNumber',
    fix: 'Send only one of the two fields; merchantAccountNumber takes precedence.'
  }
]

/** Everything that a request has, by the name to show. The token comes first, if there is one. */
export function foreignTexts (
  { variant, request, terms }: Context
): ReadonlyArray<readonly [name: string, text: string]> {
  const { clientTimeStamp, sid, amount, accountNumber, merchantToken } = terms
  const { orderId, transactionFCRN, transactionId, operationType, idType } = request
  return ([
    ['the token', merchantToken], ['sid', sid], ['clientTimeStamp', clientTimeStamp], ['amount', amount || fieldText(request.amount)],
    ['the account number', accountNumber], ['orderId', fieldText(orderId)], ['transactionFCRN', fieldText(transactionFCRN)],
    ['transactionId', fieldText(transactionId)], ['operationType', fieldText(operationType)], ['idType', fieldText(idType)],
    ['the variant', variant], ['the text null', 'null']
  ] as const).filter(([, text]) => text !== '')
}

const fixOfOther = 'Sign and send the same value: take it from one place.'

/** Each field in which the other side's request differs, with the request that has its value. */
export function * otherRequests (
  { request }: Context, { otherRequest = {} }: DiagnoseOptions
): Generator<readonly [string, SignatureRequest]> {
  if (Object.keys(otherRequest).length === 0) return
  for (const field of new Set([...Object.keys(request), ...Object.keys(otherRequest)])) {
    yield [field, { ...request, [field]: otherRequest[field] }]
  }
}

/** The terms that differ between two requests. */
export const differences = ({ terms }: Context, other: Context): TermName[] =>
  (Object.keys(terms) as TermName[]).filter(term => terms[term] !== other.terms[term])

/**
 * What may have been taken for a term.
 *
 * @param others - the other side's requests, by the field in which each differs
 */
export function replacementsFor (
  term: TermName, context: Context, others: ReadonlyArray<readonly [string, Context]>,
  { merchantToken, otherTokens = {} }: DiagnoseOptions
): Replacement[] {
  const found: Replacement[] = []
  for (const [field, other] of others) {
    const different = differences(context, other)
    if (different.length !== 1 || different[0] !== term || field === 'operationType') continue
    const says = `as ${field} is in the other request`
    found.push({ text: other.terms[term], cost: 2, reason: { name: 'other-request', says, fix: fixOfOther, isWhole: true } })
  }
  if (term === 'merchantToken') {
    for (const [name, text] of Object.entries(otherTokens)) {
      const fix = 'Use the token of the same environment on both sides; compare the key check values.'
      found.push({ text, cost: 3, reason: { name: 'token-other', says: `it was the one named ${name}`, fix, isWhole: true } })
    }
    if (context.request.merchantToken && merchantToken !== undefined) {
      const fix = 'Leave merchantToken out of the request, or sign with it on both sides.'
      const says = 'it was the configured one, not the one in the request'
      found.push({ text: merchantToken, cost: 4, reason: { name: 'token-of-request', says, fix, isWhole: true } })
    }
  }
  for (const { name, cost, terms, texts, says, fix } of rules) {
    if (!terms.includes(term)) continue
    for (const text of texts(context)) {
      if (text !== '') found.push({ text, cost, reason: { name, says, fix, isWhole: true } })
    }
  }
  for (const [name, text] of foreignTexts(context)) {
    if (text === 'null') continue // an absent value
    const fix = 'Part 1 is clientTimeStamp, sid, amount and reference; part 2 is clientTimeStamp, order id or null (variant A), token, account number, amount and reference.'
    const reason = { name: 'term-replaced', says: `${name} stood in its place`, fix, isWhole: true } as const
    found.push({ text, cost: 6, reason, isSecret: name === 'the token' })
  }
  return found
}
