import { fieldNames } from '../../src/scheme/request.js'
import { quote } from '../explain/characters.js'
import type { Reason } from './alternatives.js'
import { contextOf, fieldText, kinds, knownFields, type Context, type TermName } from './context.js'
import type { FileOptions } from './diagnosis.js'

/** Texts that a signer may take from another field or another operation. */
const rules: ReadonlyArray<readonly [
  name: string, cost: number, term: TermName, texts: (context: Context) => readonly string[], says: string, fix: string
]> = [
  ['amount-not-ignored', 2, 'amount',
    ({ sources, request }) => sources.amount === undefined ? [fieldText(request.amount), '0', '0.00', '0.0'] : [],
    'the amount was used for an operation that ignores it',
    'Purchases and refunds sign the amount; voids and inquiries sign an empty text.'],
  ['id-type', 4, 'orderIdOrNull', ({ sources: { orderId, idType }, request, terms }) =>
    orderId === undefined || idType === undefined
      ? []
      : terms.orderIdOrNull === 'null' ? [fieldText(request[orderId])] : ['null'],
  'idType was read differently: transactionId is the order id only if idType is ORDER_ID, in upper or lower case',
  'Send idType ORDER_ID when transactionId is an order id, and compare it case-insensitively.'],
  ['order-id-from-another-field', 4, 'orderIdOrNull',
    ({ request }) => [request.transactionFCRN, request.orderId].map(fieldText),
    'it was taken from another field',
    'The order term is orderId; in an inquiry it is transactionId if idType is ORDER_ID. Without an order id it is ' +
    'the text null.'],
  ['reference-from-another-field', 4, 'referenceNumber',
    ({ request }) => [request.transactionFCRN, request.transactionId, request.orderId].map(fieldText),
    'it was taken from another field',
    'A purchase has no reference; refund and void use transactionFCRN, an inquiry transactionId, variant B orderId.'],
  ['account-number-other-field', 4, 'accountNumber',
    ({ request }) => [request.accountNumber, request.merchantAccountNumber].map(fieldText),
    'it was taken from the other of accountNumber and merchantAccountNumber',
    'Send only one of the two fields; merchantAccountNumber takes precedence.']
]

/** Fix for a part with wrong terms or with terms in another order. */
export const order = 'Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null ' +
  '(variant A), token, account number, amount, reference.'

/** Returns the name and text of the token, of each field of a request, and of constants that signers add. */
export function foreignTexts ({ variant, request, terms }: Context): Array<readonly [name: string, text: string]> {
  const shown = fieldNames.filter(field => field !== 'merchantToken').map(field => [field, fieldText(request[field])] as const)
  const texts = [['the token', terms.merchantToken], ...shown, ['the variant', variant], ['the text null', 'null']] as const
  return texts.filter(([, text]) => text !== '')
}

/** Returns forms of the whole body that signers hash: its JSON and its query string, alone and with the token. */
export function bodiesOf ({ body, terms: { merchantToken } }: Context): Array<readonly [what: string, text: string]> {
  try {
    const members = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
    const plain = [
      ['the JSON of the body', JSON.stringify(body)], ['the body as a query string', String(new URLSearchParams(members))]
    ] as const
    return [
      ...plain, ...plain.map(([what, text]) => [`${what}, and the token after it`, text + merchantToken] as const),
      ...plain.map(([what, text]) => [`${what}, and the token before it`, merchantToken + text] as const)
    ].filter(([what]) => merchantToken !== '' || !what.includes('token'))
  } catch {
    return [] // a value without a text
  }
}

/** Returns the terms of the other request, and of the others in the file, with words about each. */
export function othersOf ({ variant, request }: Context, { merchantToken = '', otherRequest, otherRequests = [] }: FileOptions) {
  const all = [
    ...otherRequest === undefined ? [] : [[2, 'it was that of the other request', otherRequest] as const],
    ...otherRequests.map(other =>
      [4, `it was that of another request in the file, sid ${quote(fieldText(other.sid))}`, other] as const)
  ]
  return all.flatMap(([cost, says, other]) => {
    const own = { ...knownFields(other), operationType: request.operationType }
    const context = contextOf(variant, own, fieldText(own.merchantToken) || merchantToken)
    return context === undefined ? [] : [{ cost, says, terms: context.terms }]
  })
}

/** Placeholders of templates, shells and frameworks. … stands for the name of the field. */
// eslint-disable-next-line no-template-curly-in-string
export const placeholders = ['${…}', '$…', '{{…}}', '{…}', '…', '{{ … }}', '#{…}', '%…%', ':…', '@…', '<…>']

/** Returns the placeholders of a term, made from the name of its field. */
function placeholdersOf (term: TermName, { subjects }: Context): string[] {
  const names = term === 'merchantToken'
    ? [term, 'MERCHANT_TOKEN', 'token']
    : [...new Set([term, subjects[term]])].filter(name => /^\w+$/.test(name))
  return names.flatMap(name => placeholders.map(form => form.replace('…', name)))
}

/** Returns the reasons why another text may stand for a term. */
export function replacementsFor (
  term: TermName, context: Context, others: ReturnType<typeof othersOf>, options: FileOptions
): Reason[] {
  const { merchantToken = '', otherTokens = {} } = options
  const found: Reason[] = []
  const add = (text: string, cost: number, name: string, says: string, fix: string, isSecret = false): void => {
    if (text === context.terms[term]) return
    found.push({ name, kind: kinds[term], says, fix, cost, texts: () => [text], isSecret })
  }
  for (const { cost, says, terms } of others) {
    const fix = 'Sign and send the same value: take it from one place for each request, not from a variable that they share.'
    if (terms[term] !== '') add(terms[term], cost, 'other-request', says, fix)
  }
  if (term === 'merchantToken') {
    for (const [name, text] of Object.entries(otherTokens)) {
      add(text, 3, 'token-other', `it was the token named ${name}`,
        'Use the token of the same environment on both sides; compare the key check values.')
    }
    if (context.request.merchantToken && merchantToken !== '') {
      add(fieldText(context.request.merchantToken), 4, 'token-of-request',
        'it was the token in the request, not the configured token',
        'Leave merchantToken out of the request, or sign with it on both sides.')
    }
  }
  for (const text of placeholdersOf(term, context)) {
    add(text, 7, term === 'merchantToken' ? 'token-missing' : 'placeholder',
      'a placeholder was not replaced by its value',
      'Check that the variable reaches the code that signs, and that its quotes expand it.')
  }
  for (const [name, cost, , texts, says, fix] of rules.filter(([, , own]) => own === term)) {
    for (const text of texts(context)) if (text !== '') add(text, cost, name, says, fix)
  }
  for (const [name, text] of foreignTexts(context)) {
    if (text !== 'null') add(text, 6, 'term-replaced', `${name} stood in its place`, order, name === 'the token')
  }
  return found
}
