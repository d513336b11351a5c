import { Type } from '@sinclair/typebox'
import { errorCodes, type ErrorCodeName } from '../src/http/error-codes.js'
import { operations, type Derivation, type Field } from '../src/scheme/request.js'
import { readerOf, variantNames } from '../src/scheme/variants.js'
import { ErrorResponse, errorResponses, response, titled } from './schemas.js'

const text = (description: string, examples: readonly string[], rules = {}) =>
  Type.String({ description, examples, ...rules })

/** A row of a variant's table: the fields that an operation signs. */
type Row = Derivation['fields']

/** True for a field that an operation of a variant uses. */
const isUsedBy = (row: Row, field: Field): boolean => Object.values<Field>(row).includes(field)

/** Returns the operations that use a field, such as `refund, void of variant A`, or `variant B` for all of them. */
const usersOf = (field: Field): string => variantNames.flatMap(variant => {
  const operations = Object.entries(readerOf(variant).operations)
  const users = operations.filter(([, row]) => isUsedBy(row, field))
  if (users.length === operations.length || (field === 'operationType' && operations.length > 1)) return `variant ${variant}`
  return users.length === 0 ? [] : `${users.map(([name]) => name).join(', ')} of variant ${variant}`
}).join('; ')

const client = {
  merchantAccountNumber: '102551',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

const present = { minLength: 1 }

/** A decimal number above 0. The length excludes numbers that a double rounds to 0. */
const positive = { pattern: '^(0*[1-9][0-9]*(\\.[0-9]+)?|0*\\.0*[1-9][0-9]*)$', maxLength: 32 }

/** Returns the schema of a field that some operations use. */
const used = (field: Field, description: string, examples: readonly string[], rules = {}) =>
  Type.Optional(text(`${description} Used by ${usersOf(field)}.`, examples, rules))

/**
 * The table of specification 2.1. The documentation of the route is derived from it. The route enforces that the body
 * is an object, and no more: the specification accepts other types, and converts them by its own rules.
 */
const properties = {
  operationType: used('operationType', 'The operation, in any case: purchase, refund, void, inquiry or clearCache. ' +
    'Anything else is signed as a purchase. So is clearCache, but STRICT and policies know it.',
  [...operations, 'clearCache']),
  amount: used('amount', 'Amount as decimal text. The exact characters are hashed: 100.00 and 100 give different ' +
    'signatures.', ['100.00'], positive),
  merchantAccountNumber: Type.Optional(text('Merchant account number. One of merchantAccountNumber and accountNumber ' +
    'is required; this one wins.', ['102551'], present)),
  accountNumber: Type.Optional(text('Another name for merchantAccountNumber.', ['102551'], present)),
  orderId: used('orderId', 'Order id.', ['ORDER-12345']),
  sid: text('Session id made by the client; the payment request must carry the same one. Variant A: any text that is ' +
    'not blank. Variant B: a UUID version 4.', [client.sid], present),
  clientTimeStamp: Type.Integer({
    format: 'int64',
    description: 'Client time in epoch milliseconds; the payment request must carry the same one.',
    examples: [client.clientTimeStamp]
  }),
  merchantToken: Type.Optional(text('Used instead of the configured token when not empty. Leave it out: the token ' +
    'belongs on the backend.', [''])),
  transactionFCRN: used('transactionFCRN', 'Reference of the original transaction.', ['987654']),
  transactionId: used('transactionId', 'The identifier to look up.', ['ORDER-12345']),
  idType: used('idType', 'Type of transactionId: ORDER_ID, FCRN or CORRUID (also CORRELATION_UID), in any case. ' +
    'ORDER_ID means that transactionId is an order id.', ['ORDER_ID', 'FCRN', 'CORRUID'])
} satisfies Record<Field, unknown>

/** Returns a schema that requires some fields. */
const having = (...names: readonly string[]) =>
  ({ properties: Object.fromEntries(names.map(name => [name, {}])), required: names })

/** Requires one of the two fields. Code generators ignore `if`; with `anyOf`, some would accept every value. */
const account = { if: having('merchantAccountNumber'), else: having('accountNumber') }

const body = Type.Object(properties, {
  title: 'SignatureRequest',
  ...account,
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
const errors = (Object.keys(errorCodes) as ErrorCodeName[])
  .filter(code => !['not-found', 'method-not-allowed', 'not-ready'].includes(code))

/** Documentation of the signing endpoint in the API reference. */
export const schema = {
  operationId: 'generateSignature',
  tags: ['Signing'],
  summary: 'Sign a payment request',
  description: 'The schema says what to send; it is not enforced. What is sent otherwise is turned into text by the ' +
    'rules of the scheme: the number 100.00 is signed as 100. Unknown fields are ignored. Guards (STRICT, POLICY_FILE) ' +
    'accept less. A request with several faults gets the first one\'s message, in this order: amount, account number, ' +
    'sid, clientTimeStamp.',
  security: [{}, { apiKey: [] }],
  body,
  response: {
    200: response('Signed. The examples belong to the examples above, with the development token.', SignatureResponse, {
      Purchase: { signature: '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755' },
      Refund: { signature: 'b48ba5eccb90cc4bfbeac3d802da3b5a95497f73c02b7f481377496443eaadf4///0bb2db52586e8b10f7b581a790ddb239a1e68ee71aad49a8daae0d26dfa8c2fd' },
      Void: { signature: 'cfa58deb6647de18c6fdc5c3182b3ef4e4309f655cd2c9c2a5106149d4f3019e///9fa3cac8492a473fbce7bc3ae8f0510a6610f4d8745b7390ab79fc00196fb7c7' },
      Inquiry: { signature: '286d07bc63189fbc2386a2aaaa719395ef2709c34d8b38f8e3e4362dbdb8a2c9///744a9a8edc55bb246eacd6563a92f9ea2686e18331db0b567e007f93acec28e1' },
      'Clear cache': { signature: '073332f50642ae83005ce45ddd9187dd966fb0f7fcf621ae0b82d53858760ab1///01b7fc982214937d1ec70c57550a2c2f0b077feb7f7fb59fff6c4a437926c0dd' },
      'Variant B': { signature: '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8' }
    }),
    ...errorResponses(errors)
  }
}

/** Type and description of each field: keywords that OpenAPI 3.0 and Swagger 2 have, too. */
const hostProperties = Object.fromEntries(Object.entries(properties)
  .map(([name, { type, description }]) => [name, { type, description }]))

/** Documentation of the endpoint in the API document of a host, which adds tags, operation IDs and security schemes. */
export const hostSchema = {
  summary: schema.summary,
  description: schema.description,
  body: { type: 'object', required: ['sid', 'clientTimeStamp'], properties: hostProperties },
  response: { 200: SignatureResponse, default: ErrorResponse }
}
