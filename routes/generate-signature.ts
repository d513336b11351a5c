import createError from '@fastify/error'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { checkRequest } from '../src/check-request.js'
import { generateSignature } from '../src/generate-signature.js'
import { SignatureRequest } from '../src/signature-request.js'
import { ErrorResponse, SignatureResponse } from './schemas.js'

const NotAnObjectError = createError('ERR_BODY_NOT_AN_OBJECT', 'Request body must be a JSON object', 400)

const isObject = (body: unknown): body is SignatureRequest =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/**
 * The whole validation. The body's schema is documentation: enforced, it would turn numbers into text, refuse what the
 * specification lets through, and answer with messages and in an order that are not the specification's.
 */
function validate (body: unknown): true | { error: Error } {
  if (!isObject(body)) return { error: new NotAnObjectError() }
  try {
    checkRequest(body)
    return true
  } catch (error) {
    return { error: error as Error }
  }
}

const generateSignatureRoute: FastifyPluginAsyncTypebox = async function (app) {
  app.post('/api/generate-signature', {
    bodyLimit: app.config.BODY_LIMIT,
    validatorCompiler: () => validate,
    schema: {
      body: SignatureRequest,
      response: { 200: SignatureResponse, '4xx': ErrorResponse, '5xx': ErrorResponse }
    }
  }, request => {
    const signature: unknown = generateSignature(app.signer, request.body) // an injected signer may have no types
    if (typeof signature !== 'string') throw new TypeError('sign returned no string; a promise is not waited for')
    return { signature }
  })
}

export default generateSignatureRoute
