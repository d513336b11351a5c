import { errorCodes, type ErrorCodeName } from '../src/http/error-codes.js'
import { errors, requestSchema, schema, SignatureResponse, type Accepted } from './generate-signature.schema.js'
import { commonErrors, errorHeadersOf, ErrorResponse, remediesOf } from './schemas.js'

/** Keywords of a field's schema that OpenAPI 3.0 and Swagger 2 have, too. */
const keywords = ['type', 'format', 'description', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const

type FieldSchema = { readonly [keyword in typeof keywords[number]]?: unknown }

/** Returns the responses with the status of an error, and `default` for those of your backend. */
function errorResponses (): Record<string, object> {
  const byStatus: Record<string, ErrorCodeName[]> = {}
  for (const code of errors) {
    if (commonErrors.includes(code) && code !== 'fault') continue // the host refuses these
    const [status] = errorCodes[code]
    ;(byStatus[status === '4xx' ? 'default' : status] ??= []).push(code)
  }
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => {
    const headers = Object.fromEntries(Object.entries(errorHeadersOf(status))
      .map(([name, { type, description }]) => [name, { type, description }]))
    return [status, { ...ErrorResponse, description: remediesOf(codes), headers }]
  }))
}

/**
 * Returns the schema that documents the route in the API document of a host. Valid in OpenAPI and in Swagger 2. Tags,
 * operation IDs and security schemes are up to the host.
 */
export function hostSchemaOf (accepted: Accepted): object {
  const { summary, description } = schema
  const { type, required, properties } = requestSchema(accepted)
  const fields = Object.entries<FieldSchema>(properties).map(([name, field]) => [name, Object.fromEntries(keywords
    .filter(keyword => field[keyword] !== undefined)
    .map(keyword => [keyword, field[keyword]]))])
  return {
    summary,
    description,
    body: { type, required, properties: Object.fromEntries(fields) },
    response: { 200: SignatureResponse, ...errorResponses() }
  }
}
