import createError from '@fastify/error'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { checkRequest } from '../src/scheme/check-request.js'
import { generateSignature } from '../src/scheme/generate-signature.js'
import { SignatureRequest } from '../src/scheme/signature-request.js'
import type { Signer } from '../src/scheme/signer.js'
import { ErrorResponse, SignatureResponse } from './schemas.js'

/** Specification 4.1. */
export const signingPath = '/api/generate-signature'

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

/** The route but for its path and its handler. */
export const signingRoute = {
  validatorCompiler: () => validate,
  schema: {
    body: SignatureRequest,
    response: { 200: SignatureResponse, '4xx': ErrorResponse, '5xx': ErrorResponse }
  }
}

/** Signs a request that has passed {@link signingRoute}'s checks. */
export function answerWith (signer: Signer, request: SignatureRequest): SignatureResponse {
  const signature: unknown = generateSignature(signer, request) // an injected signer may have no types
  if (typeof signature !== 'string') throw new TypeError('sign returned no string; a promise is not waited for')
  return { signature }
}

const generateSignatureRoute: FastifyPluginAsyncTypebox = async function (app) {
  app.post(signingPath, { ...signingRoute, bodyLimit: app.config.BODY_LIMIT },
    request => answerWith(app.signer, request.body))
}

export default generateSignatureRoute
