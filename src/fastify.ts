import type { FastifyPluginAsync } from 'fastify'
import errorHandler from '../plugins/http/error-handler.js'
import { mergeSmallChunks } from '../plugins/http/small-chunks.js'
import { isRefusal, type Authorize, type AuthorizeInput, type Refusal } from '../plugins/signing/backend.js'
import signing from '../plugins/signing/index.js'
import type { GuardOptions } from '../plugins/signing/guard-options.js'
import generateSignature, { type GenerateSignatureOptions } from '../routes/generate-signature.js'
import { complete } from './guard/guarded.js'
import type { Policy } from './guard/policy.js'
import { isStrict, strictTokenFault } from './guard/strict.js'
import { assertOptions, OptionsError } from './plugin-options.js'
import type { SignatureRequest } from './scheme/fields.js'
import type { Signer } from './scheme/variant.js'
import { assertVariant, readerOf, signerOf, type Variant } from './scheme/variants.js'
import { RefusedError } from './service/refused-error.js'
import { defaults } from './service/settings.js'
import { isRefusedToken } from './token/development-token.js'

export type { Authorize, AuthorizeInput, Policy, Refusal, SignatureRequest, Signer, Variant }

/** A variant and its token, or a custom signer. */
export type Signing = {
  variant: Variant
  /**
   * The merchant's secret token, or a function that gives that of an account. The function is asked for each request
   * that is about to be signed, so keep what is slow to get. For an account that it does not know it gives a refusal,
   * with a status from 400 to 499. If it throws or rejects, the response is 500, `Internal Server Error`, and the log
   * has the error.
   */
  merchantToken: string | ((accountNumber: string) => string | Refusal | Promise<string | Refusal>)
  signer?: never
} | {
  signer: Signer
  variant?: never
  merchantToken?: never
}

export type PaymentSignatureOptions = Signing & GuardOptions

/** Returns a function that returns the signer of each request. Throws what {@link paymentSignature} rejects with. */
function signerSource (signing: Signing, needsStrictToken: boolean, isProduction: boolean): GenerateSignatureOptions['signer'] {
  if (signing.signer !== undefined) return () => signing.signer
  const { variant, merchantToken } = signing

  function signerWith (token: string): Signer {
    const signer = signerOf(variant, token)
    if (isRefusedToken(token, isProduction)) {
      throw new TypeError('merchantToken is the development token, which everybody knows: production refuses it')
    }
    const fault = needsStrictToken ? strictTokenFault(token) : undefined
    if (fault !== undefined) throw new TypeError(`strict ${fault}`)
    return signer
  }

  if (typeof merchantToken === 'function') {
    return async accountNumber => {
      let refusal
      try {
        const token = await merchantToken(accountNumber)
        if (!isRefusal(token)) return signerWith(token)
        refusal = token
      } catch (cause) {
        // Such as a vault's, with a status and a text of its own, which are not for the client.
        throw new Error('merchantToken failed', { cause })
      }
      throw new RefusedError('refused', String(refusal.error), {}, false, refusal.statusCode)
    }
  }
  const fixed = signerWith(merchantToken)
  return () => fixed
}

/**
 * The signing route (specification 4.1) in an app of your own, under any prefix, with the guards that the service has.
 * Bodies and errors of this route are handled as the service does it, `{ "error": message }`, and those of your other
 * routes are left alone. Your hooks run for it too. CORS, headers and the log of requests are yours.
 *
 * It rejects, and with it `ready()`: OptionsError `ERR_OPTIONS`, options that are not known or cannot be meant, or a
 * route that is there already; UsageError `ERR_VARIANT` or `ERR_MERCHANT_TOKEN`; PolicyError; or a TypeError for a
 * token of digits and points only under `strict`, and for the development token in production.
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
  assertOptions(options)
  const { variant }: { variant?: unknown } = options.signer ?? options
  assertVariant(variant)
  const reader = options.signer ?? readerOf(variant)
  const { isProduction = process.env.NODE_ENV === 'production' } = options
  const settings = complete(defaults, { ...options, isProduction })
  const { path, bodyLimit } = settings
  const signer = signerSource(options, isStrict(settings), isProduction)
  const url = app.prefix + path
  if (app.hasRoute({ method: 'POST', url })) {
    throw new OptionsError(`POST ${url} is already there: give each registration a prefix, or a path, of its own`)
  }

  // The host's serializers and compilers may expect other responses, and schemas of another kind.
  app.setReplySerializer(payload => JSON.stringify(payload))
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    mergeSmallChunks(raw)
    done()
  })
  app.register(errorHandler, { logRefusals: false })
  app.register(signing, { ...settings, variant, reader })
  app.register(generateSignature, { signer, bodyLimit, path })
}

export default paymentSignature
