import { errorCodes, type ErrorCodeName } from '../src/http/refusals.js'
import { variantNames } from '../src/scheme/variants.js'
import { Type, type Static, type TSchema } from '../src/text/schema.js'

const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { title: 'ErrorResponse' })

/** Returns examples in the form of OpenAPI, by their titles. */
export const titled = (examples: Record<string, object>): object =>
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
const headersOf = (status: number, codes: readonly ErrorCodeName[]) => ({
  ...errorHeaders,
  ...status === 401 && { 'WWW-Authenticate': header('string', '`Bearer`, with `error="invalid_token"` for an unknown key') },
  ...codes.some(code => code === 'rate-limit' || code === 'authorization-unavailable') &&
    { 'Retry-After': header('integer', 'Seconds to wait; only with `rate-limit` and `authorization-unavailable`') }
})

/** Returns the responses with these codes, by status: an example for each, and the remedies in the description. */
export function errorResponses (codes: readonly ErrorCodeName[]): object {
  const statuses = [...new Set(codes.map(code => errorCodes[code][0]))]
  return Object.fromEntries(statuses.map(status => {
    const ofStatus = codes.filter(code => errorCodes[code][0] === status)
    const remedies = ofStatus.map(code => `- \`${code}\`: ${errorCodes[code][2]}`).join('\n')
    const examples = Object.fromEntries(ofStatus.map(code => [code, { error: errorCodes[code][1] }]))
    return [status, { ...response(remedies, ErrorResponse, examples), headers: headersOf(status, ofStatus) }]
  }))
}

const otherErrors = { default: response('An error, such as an unknown path', ErrorResponse, { 'not-found': { error: 'Not Found: GET /nowhere' } }) }

const HealthResponse = Type.Object({
  ok: Type.Literal(true),
  service: Type.Literal('payment-signature-backend'),
  variant: Type.Union([...variantNames, variantNames.join()].map(name => Type.Literal(name)))
}, { title: 'HealthResponse' })

export const liveness = {
  tags: ['Probes'],
  security: [],
  summary: 'Liveness',
  description: 'Responds as long as the process lives.',
  response: {
    200: response('The process is alive', HealthResponse, {
      Alive: { ok: true, service: 'payment-signature-backend', variant: 'A' }
    }),
    ...otherErrors
  }
}

const ReadyResponse = Type.Object({ ok: Type.Literal(true) }, { title: 'ReadyResponse' })

export const readiness = {
  operationId: 'ready',
  tags: ['Probes'],
  security: [],
  summary: 'Readiness',
  description: 'For load balancers: whether new requests should be sent here.',
  response: { 200: response('New requests should be sent here', ReadyResponse, { Ready: { ok: true } }), ...errorResponses(['not-ready']) }
}
