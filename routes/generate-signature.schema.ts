import { Type, type Static } from '@sinclair/typebox'
import { refusals, sidRules } from '../src/scheme/errors.js'
import type { Field } from '../src/scheme/fields.js'
import { usersOf } from '../src/scheme/variants.js'
import { messages } from '../src/service/messages.js'
import { refused, response, titled } from './schemas.js'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })

/** A field that some operations use. */
const used = (field: Field, description: string, example: string) =>
  Type.Optional(text(`${description} Used by ${usersOf(field)}.`, example))

const client = {
  merchantAccountNumber: '102551',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

/** Documentation: enforced, it would turn numbers into text, and refuse what the specification lets through. */
const body = Type.Object({
  operationType: used('operationType', 'The operation, in any case. Anything else is signed as a purchase.', 'purchase'),
  amount: used('amount', 'Amount as decimal text. The exact characters are hashed: 100.00 and 100 give different ' +
    'signatures.', '100.00'),
  merchantAccountNumber: Type.Optional(text('Merchant account number. One of merchantAccountNumber and accountNumber ' +
    'is required; this one wins.', '102551')),
  accountNumber: Type.Optional(text('Another name for merchantAccountNumber.', '102551')),
  orderId: used('orderId', 'Order id.', 'ORDER-12345'),
  sid: text('Session id made by the client; the payment request must carry the same one. Variant A: any text that is ' +
    'not blank. Variant B: a UUID version 4.', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'),
  clientTimeStamp: Type.Integer({
    description: 'Client time in epoch milliseconds; the payment request must carry the same one.',
    examples: [1709912345678]
  }),
  merchantToken: Type.Optional(text('Used instead of the configured token when not empty. Leave it out: the token ' +
    'belongs on the backend.', '')),
  transactionFCRN: used('transactionFCRN', 'Reference of the original transaction.', '987654'),
  transactionId: used('transactionId', 'The identifier to look up.', 'ORDER-12345'),
  idType: used('idType', 'ORDER_ID, in any case, means that transactionId is an order id.', 'ORDER_ID')
} satisfies Record<Field, unknown>, {
  title: 'SignatureRequest',
  'x-examples': titled({
    Purchase: { operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345', ...client },
    Refund: { operationType: 'refund', amount: '100.00', transactionFCRN: '987654', orderId: 'ORDER-12345', ...client },
    Void: { operationType: 'void', transactionFCRN: '987654', ...client },
    Inquiry: { operationType: 'inquiry', transactionId: 'ORDER-12345', idType: 'ORDER_ID', ...client },
    'Variant B': { amount: '100.00', orderId: 'ORDER-12345', ...client }
  })
})

export const SignatureResponse = Type.Object({
  signature: Type.String({
    description: 'part1///part2, each part a SHA-256 digest as 64 lowercase hexadecimal digits',
    pattern: '^[0-9a-f]{64}///[0-9a-f]{64}$'
  })
}, { title: 'SignatureResponse' })

export type SignatureResponse = Static<typeof SignatureResponse>

const retryAfter = { 'Retry-After': 'When to try again, in seconds' }

/** What the API reference says of the signing endpoint. */
export const schema = {
  operationId: 'generateSignature',
  tags: ['Signing'],
  summary: 'Sign a payment request',
  description: 'The schema says what to send; it is not enforced. What is sent otherwise is turned into text by the ' +
    'rules of the scheme: the number 100.00 is signed as 100. Unknown fields are ignored. A request with several ' +
    'faults gets the first one\'s message, in this order: amount, account number, sid, clientTimeStamp.',
  security: [{}, { apiKey: [] }],
  body,
  response: {
    200: response('Signed. The examples belong to the examples above, with the development token.', SignatureResponse, {
      Purchase: { signature: '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755' },
      Refund: { signature: 'b48ba5eccb90cc4bfbeac3d802da3b5a95497f73c02b7f481377496443eaadf4///0bb2db52586e8b10f7b581a790ddb239a1e68ee71aad49a8daae0d26dfa8c2fd' },
      Void: { signature: 'cfa58deb6647de18c6fdc5c3182b3ef4e4309f655cd2c9c2a5106149d4f3019e///9fa3cac8492a473fbce7bc3ae8f0510a6610f4d8745b7390ab79fc00196fb7c7' },
      Inquiry: { signature: '286d07bc63189fbc2386a2aaaa719395ef2709c34d8b38f8e3e4362dbdb8a2c9///744a9a8edc55bb246eacd6563a92f9ea2686e18331db0b567e007f93acec28e1' },
      'Variant B': { signature: '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8' }
    }),
    400: refused('A field is missing or not allowed, or the body cannot be read', {
      Amount: refusals.ERR_AMOUNT_NOT_POSITIVE,
      'Account number': refusals.ERR_ACCOUNT_NUMBER_REQUIRED,
      'Session id': refusals.ERR_SID_REQUIRED,
      'Time stamp': refusals.ERR_CLIENT_TIMESTAMP_REQUIRED,
      'Not strict (STRICT)': 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00',
      'Token (ACCEPT_BODY_TOKEN)': refusals.ERR_BODY_TOKEN,
      'Not JSON': messages.bodyNotJson,
      'Empty body': messages.bodyEmpty,
      'Not an object': messages.bodyNotAnObject,
      'Not UTF-8': messages.bodyNotUtf8,
      'Too many values': messages.bodyTooManyValues,
      'No Host': messages.hostRequired,
      'Not HTTP': messages.notHttp
    }),
    401: refused('The policy does not know the caller', {
      'No key': messages.apiKeyRequired,
      'Unknown key': messages.apiKeyUnknown
    }, { 'WWW-Authenticate': '`Bearer`; with `error="invalid_token"` if the key is not known' }),
    403: refused('The policy does not allow it', {
      Operation: 'caller "anonymous" may not sign this operation (operations)',
      Account: 'caller "anonymous" may not sign for this account (accountNumbers)',
      Amount: 'caller "anonymous" may not sign an amount above 500.00 (maximumAmount)'
    }),
    408: refused('The request took longer than 10 seconds to arrive', { 'Time-out': messages.timeout }),
    413: refused('The body is larger than BODY_LIMIT', { 'Too large': messages.bodyTooLarge }),
    415: refused('The body is not `application/json`, or it is compressed', {
      'Content-Type': messages.contentType,
      'Content-Encoding': messages.contentEncoding
    }),
    417: refused('An `Expect` header other than `100-continue`', { Expect: messages.expect }),
    429: refused('More requests than RATE_LIMIT_MAX, or than the policy allows the caller; or more than KEY_FAILURE_MAX ' +
      'without a known key', {
      'Too many': `${messages.tooManyRequests}: try again in 12 seconds`,
      'Unknown keys': `${messages.tooManyWithoutKey}: try again in 12 seconds`
    }, retryAfter),
    431: refused('The URL and the headers are larger than 16 KiB, or there are more than 128 headers', { 'Too large': messages.headersTooLarge }),
    '4xx': refused('Your own backend refused, with its status and message (AUTHORIZE_URL)', {
      'Own backend': 'ORDER-12345 is already paid'
    }),
    500: refused('Deriving or computing failed; or a fault of the service, whose details are in its log', {
      'Session id, variant A': sidRules.notBlank,
      'Session id, variant B': sidRules.uuidV4,
      'Not text': 'Cannot convert object to primitive value',
      Fault: messages.fault
    }),
    503: refused('Overloaded; or what has to be asked before signing cannot be reached', {
      Overloaded: messages.overloaded,
      Bodies: messages.tooManyBodies,
      'Own backend': messages.authorizationUnavailable,
      Audit: messages.auditUnavailable,
      'Rate limit': messages.rateLimitUnavailable
    }, { 'Retry-After': 'When overloaded, or when your own backend was not asked: when to try again, in seconds' })
  }
}
