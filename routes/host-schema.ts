import { schema, SignatureResponse } from './generate-signature.schema.js'
import { ErrorResponse } from './schemas.js'

const { summary, description, body: { required, properties } } = schema
const fields = Object.entries(properties).map(([name, { type, description }]) => [name, { type, description }])

/**
 * Schema that documents the route in the API document of a host. Valid in OpenAPI and in Swagger 2. Tags, operation IDs
 * and security schemes are up to the host.
 */
export const hostSchema = {
  summary,
  description,
  body: { type: 'object', required, properties: Object.fromEntries(fields) },
  response: { 200: SignatureResponse, default: ErrorResponse }
}
