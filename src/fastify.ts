import type { FastifyPluginAsync } from 'fastify'
import { refuseBodyToken } from '../plugins/signing/accept-body-token.js'
import { askBeforeSigning } from '../plugins/signing/authorize.js'
import type { Authorize, AuthorizeInput, Refusal } from '../plugins/signing/authorize.js'
import { errorHandler } from '../plugins/http/errors.js'
import jsonBody from '../plugins/signing/json-body.js'
import { refuseAmbiguous } from '../plugins/signing/strict.js'
import { answerWith, signingPath, signingRoute } from '../routes/generate-signature.js'
import { UsageError } from './scheme/errors.js'
import type { SignatureRequest } from './scheme/signature-request.js'
import type { Signer } from './scheme/signer.js'
import { VariantA } from './scheme/variant-a.js'
import { VariantB } from './scheme/variant-b.js'
import type { Variant } from './scheme/variant.js'

export type { Authorize, AuthorizeInput, Refusal, SignatureRequest, Signer, Variant }

/** What to sign with: a variant and its token, or a signer of your own. */
export type Signing = {
  variant: Variant
  /**
   * The merchant's secret token, or a function that gives it. The function is asked for each request that is about to
   * be signed, so keep what is slow to get. If it throws or rejects, the request is answered with 500, `Internal Server
   * Error`, and the log has the error.
   */
  merchantToken: string | (() => string | Promise<string>)
  signer?: never
} | {
  signer: Signer
  variant?: never
  merchantToken?: never
}

export type PaymentSignatureOptions = Signing & {
  /** The route's path, after Fastify's own option `prefix`; `/api/generate-signature` if not given. */
  path?: string
  /** Asked before anything is signed; `docs/policy.md` says with what. */
  authorize?: Authorize
  /** How long `authorize` may take, in milliseconds; 2000 if not given. Then the answer is 503. */
  authorizeTimeout?: number
  /** Refuse what could be read as another request; `docs/strict.md` says what that is. False if not given. */
  strict?: boolean
  /** The length of an account number under `strict`; 6 if not given. */
  accountNumberDigits?: number
  /** False refuses requests with a `merchantToken` of their own. True if not given, as the specification has it. */
  acceptBodyToken?: boolean
  /** The largest body, in bytes; 102400 if not given. */
  bodyLimit?: number
}

/** What gives the signer of each request. Throws what {@link paymentSignature} rejects with. */
function signerSource ({ signer, variant, merchantToken }: Signing, strict: boolean): () => Signer | Promise<Signer> {
  if (signer !== undefined) return () => signer
  if (variant !== 'A' && variant !== 'B') throw new UsageError('ERR_VARIANT')
  const Variant = variant === 'A' ? VariantA : VariantB

  function signerWith (token: string): Signer {
    const signer = new Variant(token)
    if (strict && /^[0-9]+$/.test(token)) throw new TypeError('strict needs a token that is not only digits')
    return signer
  }

  if (typeof merchantToken === 'function') return async () => signerWith(await merchantToken())
  const fixed = signerWith(merchantToken)
  return () => fixed
}

/**
 * The signing route (specification 4.1) in an app of your own, under any prefix. Bodies and errors of this route are
 * handled as the service does it, `{ "error": message }`, and those of your other routes are left alone. Your hooks
 * run for it too. CORS, headers, rate limits and the log are yours.
 *
 * It rejects, and with it `ready()`: UsageError `ERR_VARIANT` or `ERR_MERCHANT_TOKEN`, or a TypeError for a token of
 * digits only under `strict`.
 *
 * @example
 * import Fastify from 'fastify'
 * import paymentSignature from 'payment-signature-backend/fastify'
 *
 * const app = Fastify()
 * const merchantToken = process.env.MERCHANT_TOKEN ?? ''
 * app.register(paymentSignature, { prefix: '/payments', variant: 'A', merchantToken })
 * await app.listen({ port: 3000 }) // POST /payments/api/generate-signature
 */
export const paymentSignature: FastifyPluginAsync<PaymentSignatureOptions> = async function (app, options) {
  const { authorize, authorizeTimeout = 2000, strict = false, accountNumberDigits = 6 } = options
  const { path = signingPath, acceptBodyToken = true, bodyLimit = 102400 } = options
  const signerOf = signerSource(options, strict)

  await app.register(jsonBody, { bodyLimit })
  app.setReplySerializer(payload => JSON.stringify(payload)) // the host's may expect other answers
  app.setErrorHandler(errorHandler((reply, statusCode, message) => { reply.code(statusCode).send({ error: message }) }))

  if (!acceptBodyToken) app.addHook('preHandler', refuseBodyToken)
  if (strict) {
    const { variant } = options.signer ?? options
    app.addHook('preHandler', refuseAmbiguous(variant, accountNumberDigits))
  }
  if (authorize !== undefined) app.addHook('preHandler', askBeforeSigning(authorize, authorizeTimeout))

  app.post(path, { ...signingRoute, serializerCompiler: () => payload => JSON.stringify(payload), bodyLimit },
    async request => answerWith(await signerOf(), request.body as SignatureRequest))
}

export default paymentSignature
