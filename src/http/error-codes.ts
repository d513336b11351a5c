import { refusals, sidRules } from '../scheme/errors.js'
import { messages } from './messages.js'

/**
 * Values of the header `Error-Code`, each with its status, the remedy and its messages. Messages with values of the
 * request or of the configuration are examples. Errors of the scheme have the code of `src/scheme/errors.ts` in lower
 * case, without ERR. The OpenAPI document has this table.
 */
export const errorCodes = {
  'amount-not-positive': [400, 'send an amount above 0, or none', refusals.ERR_AMOUNT_NOT_POSITIVE],
  'account-number-required': [400, 'send one of them', refusals.ERR_ACCOUNT_NUMBER_REQUIRED],
  'sid-required': [400, 'send the field', refusals.ERR_SID_REQUIRED],
  'client-timestamp-required': [400, 'send the field', refusals.ERR_CLIENT_TIMESTAMP_REQUIRED],
  'sid-invalid': [500, 'send the variant\'s form', sidRules.notBlank, sidRules.uuidV4],
  'not-text': [500, 'send strings', 'Cannot convert object to primitive value'],
  'signing-failed': [500, 'read the log: a custom signer failed', 'Signing failed'],
  'body-token': [400, 'leave it out, or allow it: `ACCEPT_BODY_TOKEN`', refusals.ERR_BODY_TOKEN],
  strict: [400, 'correct the field', 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
  'body-invalid': [400, 'send one JSON object in UTF-8', messages.bodyNotJson, messages.bodyEmpty, messages.bodyNotAnObject,
    messages.bodyNotUtf8, messages.bodyKey, messages.bodyTooManyValues, messages.bodyTooManyChunks,
    messages.bodyIncomplete, messages.bodyLength],
  'http-invalid': [400, 'correct the request line or headers', messages.urlMalformed, messages.hostRequired,
    messages.notHttp, messages.httpIncomplete],
  'api-key-required': [401, 'send a key of the policy', messages.apiKeyRequired],
  'api-key-unknown': [401, 'send a key of the policy', messages.apiKeyUnknown],
  policy: [403, 'extend the policy', 'caller "anonymous" may not sign this operation (operations)'],
  'account-number-unknown': [403, 'send an account number of the merchants', messages.accountNumberUnknown],
  refused: ['4xx', 'ask your backend', 'ORDER-12345 is already paid'],
  'not-found': [404, 'correct the path and its letter case', 'Not Found: GET /nowhere'],
  'method-not-allowed': [405, 'use a method from `Allow`', 'Method Not Allowed: GET /api/generate-signature'],
  'time-out': [408, 'send it within 10 seconds', messages.timeout],
  'body-too-large': [413, 'send at most 100 KiB', messages.bodyTooLarge, messages.chunkExtensions],
  'content-type': [415, 'send plain JSON with that type', messages.contentType, messages.charset, messages.contentEncoding],
  expect: [417, 'leave `Expect` out', messages.expect],
  'rate-limit': [429, 'wait `Retry-After` seconds', `${messages.tooManyRequests}: try again in 12 seconds`],
  'key-failures': [429, 'correct the key; wait `Retry-After` seconds', `${messages.tooManyWithoutKey}: try again in 12 seconds`],
  'headers-too-large': [431, 'send at most 128 headers and 16 KiB', messages.headersTooLarge],
  'body-read': [500, 'correct your app: mount before the body parser', messages.bodyRead],
  fault: [500, 'read the log', messages.fault],
  overloaded: [503, 'wait `Retry-After` seconds; add instances', messages.overloaded, messages.tooManyBodies],
  'authorization-unavailable': [503, 'repeat; check `AUTHORIZE_URL`', messages.authorizationUnavailable],
  'audit-unavailable': [503, 'repeat; check the disk of `AUDIT_FILE`', messages.auditUnavailable],
  'rate-limit-unavailable': [503, 'repeat; check Redis', messages.rateLimitUnavailable],
  'not-ready': [503, 'use another instance', 'starting', 'shutting down', 'overloaded', 'audit unavailable'],
  unavailable: [503, 'repeat; check your app\'s hooks', 'Service Unavailable']
} as const satisfies Record<string, readonly [status: number | '4xx', remedy: string, ...messages: string[]]>

/** The first part of the header `Error-Code`. */
export type ErrorCodeName = keyof typeof errorCodes

/** Returns the status of an error. NaN for `refused`, whose status is that of the refusal. */
export const statusOf = (code: ErrorCodeName): number => Number(errorCodes[code][0])
