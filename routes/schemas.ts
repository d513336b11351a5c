import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { errorCodes, type ErrorCodeName } from '../src/http/error-codes.js'

export const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { title: 'ErrorResponse' })

/** Returns examples in the form of OpenAPI, by their titles. */
export const titled = (examples: Record<string, object>): object =>
  Object.fromEntries(Object.entries(examples).map(([title, value]) => [title, { value }]))

const headers = {
  'X-Request-Id': { type: 'string', description: 'The request\'s id in the log', examples: ['5b3d9c2e-8f21'] }
}

const errorCode = {
  'Error-Code': {
    type: 'string',
    description: 'The error for programs; some have the name of a field, `policy` and `refused` may have a reason',
    examples: ['strict; field=amount']
  }
}

const retryAfter = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before the next request', examples: [12] } }
const authenticate = { 'WWW-Authenticate': { type: 'string', description: '`Bearer`; with `error="invalid_token"` for an unknown key' } }

/** Returns the headers of the error responses with a status, besides those of every response. */
const errorHeadersOf = (status: string) => ({
  ...errorCode,
  ...status === '401' && authenticate,
  ...(status === '429' || status === '503') && retryAfter
})

/** Returns a response with examples. */
export const response = <Schema extends TSchema>(
  description: string, schema: Schema, examples: Record<string, Static<Schema> & object>
) => ({ description, headers, content: { 'application/json': { schema, examples: titled(examples) } } })

/** Returns a list of the codes, each with its remedy, in Markdown. */
const remediesOf = (codes: readonly ErrorCodeName[]): string =>
  codes.map(code => `- \`${code}\`: ${errorCodes[code][1]}`).join('\n')

/** Codes of errors before a request reaches a route. */
export const commonErrors: readonly ErrorCodeName[] = ['http-invalid', 'time-out', 'expect', 'headers-too-large', 'fault']

/**
 * Returns the error responses with these codes, by status. An example has the title of its code, and a number. Handlers
 * throw errors and return other responses, so the type has no statuses.
 */
export function errorResponses (codes: readonly ErrorCodeName[]): object {
  const byStatus: Record<string, ErrorCodeName[]> = {}
  for (const code of codes) (byStatus[errorCodes[code][0]] ??= []).push(code)
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => {
    const examples = codes.flatMap(code => {
      const [, , ...messages] = errorCodes[code]
      return messages.map((error, index) => [index === 0 ? code : `${code}-${index + 1}`, { error }] as const)
    })
    const documented = response(remediesOf(codes), ErrorResponse, Object.fromEntries(examples))
    return [status, { ...documented, headers: { ...headers, ...errorHeadersOf(status) } }]
  }))
}
