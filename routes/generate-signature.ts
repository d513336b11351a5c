import createError from '@fastify/error'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { generateSignature } from '../src/generate-signature.js'
import { SignatureRequest } from '../src/signature-request.js'
import { ErrorResponse, SignatureResponse } from './schemas.js'

const NotAnObjectError = createError('ERR_BODY_NOT_AN_OBJECT', 'Request body must be a JSON object', 400)

/**
 * The only thing that is validated. The body's schema is documentation: checked, it would turn numbers into text,
 * The only thing that is validated. The body's schema is documentation: enforced, it would turn numbers into text,
 */
function requireObject (body: unknown): true | { error: Error } {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject || { error: new NotAnObjectError() }
}

const generateSignatureRoute: FastifyPluginAsyncTypebox = async function (app) {
  app.post('/api/generate-signature', {
    bodyLimit: app.config.BODY_LIMIT,
    validatorCompiler: () => requireObject,
    schema: {
      body: SignatureRequest,
      response: { 200: SignatureResponse, '4xx': ErrorResponse, '5xx': ErrorResponse }
    }
  }, request => ({ signature: generateSignature(app.signer, request.body) }))
}

export default generateSignatureRoute
