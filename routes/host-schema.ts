import { schema, SignatureResponse } from './generate-signature.schema.js'
import { ErrorResponse } from './schemas.js'

const { summary, description, body: { required, properties } } = schema
const fields = Object.entries(properties).map(([name, { type, description }]) => [name, { type, description }])

/**
 * Documents the route in the document of a host. Valid in OpenAPI and in Swagger 2. A host has its own tags, operation
 * IDs and security schemes.
 */
export const hostSchema = {
  summary,
  description,
  body: { type: 'object', required, properties: Object.fromEntries(fields) },
  response: { 200: SignatureResponse, default: ErrorResponse }
}
