import type { FastifyInstance } from 'fastify'
import errorHandler from '../plugins/http/error-handler.js'
import signing from '../plugins/signing/index.js'
import { readingOf } from '../plugins/signing/request-reader.js'
import generateSignature, { type GenerateSignatureOptions } from '../routes/generate-signature.js'
import { hostSchemaOf } from '../routes/host-schema.js'
import { isRefusal, refusedBy, type Authorize, type AuthorizeInput, type Refusal } from './backend/backend.js'
import type { AuditRecord, Decision, GuardOptions } from './configuration/guard-options.js'
import { refusesAmbiguity } from './configuration/report-only.js'
import { defaults } from './configuration/settings.js'
import { withDefaults } from './guard/guarded.js'
import type { Policy } from './guard/policy.js'
import { strictTokenFault } from './guard/strict.js'
import { assertOptions, OptionsError } from './plugin-options.js'
import { assertArgument } from './scheme/errors.js'
import type { PaymentRequest, SignatureRequest } from './scheme/request.js'
import type { Signer } from './scheme/variant.js'
import { isVariant, readerOf, signerOf, type Variant } from './scheme/variants.js'
import { isRefusedToken } from './token/development-token.js'

export { OptionsError }
export type {
  AuditRecord, Authorize, AuthorizeInput, Decision, PaymentRequest, Policy, Refusal, SignatureRequest, Signer, Variant
}

/** A variant and its token, or a custom signer. */
export type Signing<Context = unknown> = {
  variant: Variant
  /**
   * The merchant's secret token, or a function that returns the token of an account. The function is called for each
   * request that is about to be signed, so cache slow look-ups. For an unknown account the function returns a
   * refusal, with a status from 400 to 499. If it throws or rejects, the response is 500, `Internal Server Error`, and
   * the error is logged.
   */
  merchantToken: string | ((accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>)
  signer?: undefined
} | {
  signer: Signer
  variant?: undefined
  merchantToken?: undefined
}

/**
 * Options of {@link paymentSignature}.
 *
 * @typeParam Context - result of the option `context`
 */
export type PaymentSignatureOptions<Context = unknown> = Signing<Context> & GuardOptions<Context> & {
  /**
   * Replaces members of the schema with which `@fastify/swagger` documents the route, or adds some. The schema is not
   * enforced. `{ hide: true }` hides the route.
   */
  schema?: object | undefined
}

/** Type of {@link paymentSignature}. `paymentSignature<Context>` sets the type of the option `context`'s result. */
interface PaymentSignature {
  <Context>(app: FastifyInstance, options: PaymentSignatureOptions<Context>): Promise<void>
  (app: FastifyInstance, options: PaymentSignatureOptions): Promise<void>
}

/** Returns a function that returns the signer of each request. Throws the errors of {@link paymentSignature}. */
function signerSource (
  signing: Signing, needsStrictToken: boolean, isProduction: boolean
): GenerateSignatureOptions['signer'] {
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
    return async request => {
      let refusal
      try {
        const token = await merchantToken(readingOf(request).accountNumber.toWellFormed(), request.signingContext)
        if (!isRefusal(token)) return signerWith(token)
        refusal = token
      } catch (cause) {
        // The error of a vault, for example, has a status and a text that are not for the client.
        throw new Error('merchantToken failed', { cause })
      }
      throw refusedBy(refusal)
    }
  }
  const fixed = signerWith(merchantToken)
  return () => fixed
}

/**
 * Registers the signing route (specification 4.1) in your app, under any prefix, with the guards of the service. Bodies
 * and errors of this route are handled as in the service, `{ "error": message }`. Your other routes are unchanged. Your
 * hooks run for this route too. CORS, headers and the request log are up to you.
 *
 * The plugin, and with it `ready()`, rejects with: OptionsError `ERR_OPTIONS` for unknown or invalid options, or if the
 * route exists already; UsageError `ERR_VARIANT` or `ERR_MERCHANT_TOKEN`; PolicyError `ERR_POLICY`; or a TypeError for
 * a token of digits and points only under `strict`, and for the development token in production.
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
export const paymentSignature: PaymentSignature = async (app: FastifyInstance, options: PaymentSignatureOptions) => {
  assertOptions(options)
  const { variant }: { variant?: unknown } = options.signer ?? options
  assertArgument(isVariant(variant), 'ERR_VARIANT')
  const reader = options.signer ?? readerOf(variant)
  const { isProduction = process.env.NODE_ENV === 'production' } = options
  const settings = withDefaults(defaults, { ...options, isProduction })
  const { path, bodyLimit, schema } = settings
  const isStrict = refusesAmbiguity(settings)
  const signer = signerSource(options, isStrict, isProduction)
  const url = app.prefix + path
  if (app.hasRoute({ method: 'POST', url })) {
    throw new OptionsError(`POST ${url} exists already: set a different prefix or path for each registration`)
  }

  // The host's serializers may expect other responses, and its compilers another kind of schema.
  app.setReplySerializer(payload => JSON.stringify(payload))
  app.setSerializerCompiler(() => JSON.stringify)
  app.register(errorHandler, { logRefusals: false })
  app.register(signing, { ...settings, rateLimitName: options.rateLimitName ?? url, variant, reader })
  const { acceptBodyToken, accountNumberDigits } = settings
  const accepted = { variants: [variant], isStrict, acceptBodyToken, accountNumberDigits }
  // The host's transform may expect another kind of schema.
  const config = schema !== undefined && 'body' in schema ? {} : { swaggerTransform: false }
  app.register(generateSignature, { signer, bodyLimit, path, config, schema: { ...hostSchemaOf(accepted), ...schema } })
}

export default paymentSignature
