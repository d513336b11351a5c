import { errorCodes, type RefusalCode } from '../src/http/refusals.js'
import { operations, type Field } from '../src/scheme/request.js'
import { Type, type Static, type TSchema } from '../src/text/schema.js'

/** The body of every error (specification 2.3). */
const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { title: 'ErrorResponse' })

/** Returns examples in the form of OpenAPI, by their titles. */
const titled = (examples: Record<string, object>): object =>
  Object.fromEntries(Object.entries(examples).map(([title, value]) => [title, { value }]))

/** Returns a response with examples. */
export const response = <Schema extends TSchema>(
  description: string, schema: Schema, examples: Record<string, Static<Schema> & object>
) => ({ description, content: { 'application/json': { schema, examples: titled(examples) } } })

const header = (type: string, description: string) => ({ type, description })

const errorHeaders = {
  'Error-Code': header('string', 'The error for programs, such as `strict; field=amount` or `policy; reason=operations`')
}

/** Returns the headers that only some statuses have. */
const headersOf = (status: number, codes: readonly RefusalCode[]) => ({
  ...errorHeaders,
  ...status === 401 && { 'WWW-Authenticate': header('string', '`Bearer`, with `error="invalid_token"` for an unknown key') },
  ...codes.some(code => code === 'rate-limit' || code === 'authorization-unavailable') &&
    { 'Retry-After': header('integer', 'Seconds to wait; only with `rate-limit` and `authorization-unavailable`') }
})

/** Returns the responses with these codes, by status: an example for each, and the remedies in the description. */
export function errorResponses (codes: readonly RefusalCode[]): object {
  const statuses = [...new Set(codes.map(code => errorCodes[code][0]))]
  return Object.fromEntries(statuses.map(status => {
    const ofStatus = codes.filter(code => errorCodes[code][0] === status)
    const remedies = ofStatus.map(code => `- \`${code}\`: ${errorCodes[code][2]}`).join('\n')
    const examples = Object.fromEntries(ofStatus.map(code => [code, { error: errorCodes[code][1] }]))
    return [status, { ...response(remedies, ErrorResponse, examples), headers: headersOf(status, ofStatus) }]
  }))
}

/** The response to an error that the other responses of a route leave out. */
export const otherErrors = {
  default: response('An error, such as an unknown path', ErrorResponse, { 'not-found': { error: 'Not Found: GET /nowhere' } })
}

const text = (description: string, examples: readonly string[], rules = {}) =>
  Type.String({ description, examples, ...rules })

const optional = (description: string, examples: readonly string[], rules = {}) =>
  Type.Optional(text(description, examples, rules))

const client = {
  merchantAccountNumber: '102551',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

/** A decimal number above 0. The length excludes numbers that a double rounds to 0. */
const positive = { pattern: '^(0*[1-9][0-9]*(\\.[0-9]+)?|0*\\.0*[1-9][0-9]*)$', maxLength: 32 }

/** The table of specification 2.1. */
const properties = {
  operationType: optional('Variant A: the operation, in any case: purchase, refund, void, inquiry or clearCache. Anything ' +
    'else is signed as a purchase. So is clearCache, but STRICT and policies know it.', [...operations, 'clearCache']),
  amount: optional('Purchase and refund: the amount as decimal text. The exact characters are hashed: 100.00 and 100 give ' +
    'different signatures.', ['100.00'], positive),
  merchantAccountNumber: optional('One of merchantAccountNumber and accountNumber is required; this one wins.', ['102551'],
    { minLength: 1 }),
  accountNumber: optional('Another name for merchantAccountNumber.', ['102551'], { minLength: 1 }),
  orderId: optional('Purchase, refund and void: the order id.', ['ORDER-12345']),
  sid: text('Session id made by the client; the payment request must carry the same one. Variant A: any text that is not ' +
    'blank. Variant B: a UUID version 4.', [client.sid], { minLength: 1 }),
  clientTimeStamp: Type.Integer({
    format: 'int64',
    description: 'Client time in epoch milliseconds; the payment request must carry the same one.',
    examples: [client.clientTimeStamp]
  }),
  merchantToken: optional('Used instead of the configured token when not empty. Leave it out: the token belongs on the backend.',
    ['']),
  transactionFCRN: optional('Refund and void: the reference of the original transaction.', ['987654']),
  transactionId: optional('Inquiry: the identifier to look up.', ['ORDER-12345']),
  idType: optional('Inquiry: type of transactionId: ORDER_ID, FCRN or CORRUID (also CORRELATION_UID), in any case.',
    ['ORDER_ID', 'FCRN', 'CORRUID'])
} satisfies Record<Field, unknown>

/** Returns a schema that requires some fields. */
const having = (...names: readonly string[]) =>
  ({ properties: Object.fromEntries(names.map(name => [name, {}])), required: names })

const body = Type.Object(properties, {
  title: 'SignatureRequest',
  // One of the two is required. Code generators ignore `if`; with `anyOf`, some would accept every value.
  if: having('merchantAccountNumber'),
  else: having('accountNumber'),
  additionalProperties: false,
  'x-examples': titled({
    Purchase: { operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345', ...client },
    Refund: { operationType: 'refund', amount: '100.00', transactionFCRN: '987654', orderId: 'ORDER-12345', ...client },
    Void: { operationType: 'void', transactionFCRN: '987654', ...client },
    Inquiry: { operationType: 'inquiry', transactionId: 'ORDER-12345', idType: 'ORDER_ID', ...client },
    'Clear cache': { operationType: 'clearCache', ...client },
    'Variant B': { amount: '100.00', orderId: 'ORDER-12345', ...client }
  })
})

const SignatureResponse = Type.Object({
  signature: Type.String({
    description: 'part1///part2, each part a SHA-256 digest as 64 lowercase hexadecimal digits',
    pattern: '^[0-9a-f]{64}///[0-9a-f]{64}$'
  })
}, { title: 'SignatureResponse' })

/** Codes of errors that this route can return. */
const errors = (Object.keys(errorCodes) as RefusalCode[])
  .filter(code => !['not-found', 'method-not-allowed', 'not-ready'].includes(code))

/** Schema of the signing endpoint. Its body documents what to send; the specification accepts other types, too. */
export const schema = {
  operationId: 'generateSignature',
  tags: ['Signing'],
  summary: 'Sign a payment request',
  description: 'The schema says what to send; it is not enforced. What is sent otherwise is turned into text by the rules ' +
    'of the scheme: the number 100.00 is signed as 100. Unknown fields are ignored. Guards (STRICT, POLICY_FILE) accept ' +
    'less. A request with several faults gets the first one\'s message, in this order: amount, account number, sid, ' +
    'clientTimeStamp.',
  security: [{}, { apiKey: [] }],
  body,
  response: {
    200: response('Signed. The example belongs to the purchase, with the development token.', SignatureResponse, {
      Purchase: {
        signature: '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c' +
          '///21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'
      }
    }),
    ...errorResponses(errors)
  }
}
