import type { FastifyInstance } from 'fastify'
import merchantsPlugin from '../plugins/merchants.js'
import generateSignature from '../routes/generate-signature.js'
import { hostSchema } from '../routes/generate-signature.schema.js'
import type { Authorize, AuthorizeInput, Refusal } from './signing/backend.js'
import type { AuditRecord, Decision, GuardOptions, TokenFunction } from './signing/options.js'
import { modesOf } from './settings/modes.js'
import { defaults } from './settings/settings.js'
import { withDefaults } from './guard/guarded.js'
import type { Policy } from './guard/policy.js'
import { messages } from './http/messages.js'
import { assertOptions, OptionsError } from './settings/plugin-options.js'
import type { PaymentRequest, SignatureRequest } from './scheme/request.js'
import type { Signer } from './scheme/variant.js'
import type { Variant } from './scheme/variants.js'
import { signingOf } from './signing/sign.js'

export { OptionsError }
export type {
  AuditRecord, Authorize, AuthorizeInput, Decision, PaymentRequest, Policy, Refusal, SignatureRequest, Signer, Variant
}

/** Options that cannot be set beside the others. */
type Without<Name extends string> = { [name in Name]?: undefined }

/** A variant and its token, a custom signer, or a file of merchants. */
export type Signing<Context = unknown> = {
  variant: Variant
  /**
   * The merchant's secret token, or a function that returns the token of an account. The function is called for each
   * request that is about to be signed, so cache slow look-ups. For an unknown account the function returns a
   * refusal, with a status from 400 to 499. If it throws or rejects, the response is 500, `Internal Server Error`, and
   * the error is logged.
   */
  merchantToken: string | TokenFunction<Context>
} & Without<'signer' | 'merchants'> | {
  signer: Signer
} & Without<'variant' | 'merchantToken' | 'merchants'> | {
  /** Path of a file of merchants (`docs/merchants.md`), with their variants. It is read again when it changes. */
  merchants: string
} & Without<'variant' | 'merchantToken' | 'signer'>

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
  const { isProduction = process.env.NODE_ENV === 'production', merchants: file, signer, variant, merchantToken } = options
  const settings = withDefaults(defaults, { ...options, isProduction, modes: modesOf(options) })
  if (file !== undefined) settings.acceptBodyToken = false
  const { schema } = settings
  await app.register(merchantsPlugin, { ...settings, path: file ?? '', setting: 'merchants' })
  const merchants = file === undefined ? undefined : app.signingMerchants // not those of another registration
  const signing = signingOf({ merchants, signer, variant, merchantToken }, settings.modes, isProduction)
  const url = app.prefix.replace(/\/$/, '') + settings.path
  // eslint-disable-next-line no-restricted-syntax -- a URL of the app, at its start
  if (app.hasRoute({ method: 'POST', url })) {
    throw new OptionsError(`POST ${url} exists already: set a different prefix or path for each registration`)
  }

  // The host's serializers may expect other responses, and its compilers another kind of schema.
  app.setReplySerializer(payload => JSON.stringify(payload))
  // Serializes only errors of the host's onSend and preSerialization hooks that also fail for the first response.
  app.setSerializerCompiler(() => () => JSON.stringify({ error: messages.fault }))
  // The host's transform may expect another kind of schema.
  const config = schema !== undefined && 'body' in schema ? {} : { swaggerTransform: false }
  app.register(generateSignature, {
    ...settings,
    prefix: '',
    ...signing,
    logRefusals: false,
    config,
    schema: { ...hostSchema, ...schema }
  })
}

export default paymentSignature
