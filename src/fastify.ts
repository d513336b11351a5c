import type { FastifyInstance } from 'fastify'
import generateSignature from '../routes/generate-signature.js'
import { hostSchema } from '../routes/generate-signature.schema.js'
import type { Policy } from './guard/policy-schema.js'
import { UsageError } from './scheme/errors.js'
import type { PaymentRequest, SignatureRequest } from './scheme/request.js'
import type { Signer } from './scheme/variant.js'
import { variants, type Variant } from './scheme/variants.js'
import { defaults } from './settings/environment.js'
import { guardsOn } from './settings/warnings.js'
import type { AuditRecord, Decision } from './signing/audit.js'
import type { Authorize, AuthorizeInput, Refusal } from './signing/authorize.js'
import { merchantsInUse } from './signing/merchants-in-use.js'
import { metricsIn } from './signing/metrics.js'
import { assertOptions, OptionsError, type GuardOptions } from './signing/options.js'
import { PolicyError } from './signing/policy-in-use.js'
import { signingBy, signingWith, type SigningOf, type TokenFunction } from './signing/signing.js'
import { keyCheckValue } from './token/key-check-value.js'
import { TokenError } from './token/token-file.js'

export { OptionsError, PolicyError, TokenError, UsageError }
export type {
  AuditRecord, Authorize, AuthorizeInput, Decision, PaymentRequest, Policy, Refusal, SignatureRequest, Signer, Variant
}

/** Options of {@link paymentSignature}: the guards, and one of `merchantToken`, `signer` and `merchants`. */
export interface PaymentSignatureOptions<Context = unknown> extends GuardOptions<Context> {
  /** Variant of the scheme, with `merchantToken`. */
  variant?: Variant | undefined
  /**
   * The merchant's secret token, or a function that returns the token of an account. The function is called for each
   * request that is about to be signed, so cache slow look-ups. For an unknown account it returns a refusal. If it
   * throws or rejects, the response is 500, `Internal Server Error`, and the error is logged.
   */
  merchantToken?: string | TokenFunction<Context> | undefined
  /** A custom signer, such as a subclass of `VariantA`. */
  signer?: Signer | undefined
  /** Path of a file of merchants (`docs/merchants.md`), with their variants. It is read again when it changes. */
  merchants?: string | undefined
  /**
   * Replaces members of the schema with which `@fastify/swagger` documents the route, or adds some. The schema is not
   * enforced. `{ hide: true }` hides the route.
   */
  schema?: object | undefined
}

/** Returns the signing that the options describe, and the variant of requests that were not read. */
async function signingOf (app: FastifyInstance, options: PaymentSignatureOptions):
Promise<{ signingOf: SigningOf, variant: Variant | 'A,B' }> {
  const { variant, merchantToken, signer, merchants, pollInterval } = options
  const { accountNumberDigits = defaults.accountNumberDigits } = options
  const strict = options.strict === true || options.policy !== undefined
  if (merchants !== undefined) {
    const metrics = options.metrics && await metricsIn(options.metrics)
    const requirements = { setting: 'merchants', strict, accountNumberDigits }
    const { content, signingOf } = await merchantsInUse(app, merchants, requirements, variants, metrics, pollInterval)
    return { signingOf, variant: content().variant }
  }
  const signing = signer === undefined
    ? signingBy(variant, merchantToken as string | TokenFunction, strict)
    : signingWith(signer)
  return { signingOf: () => signing, variant: signing.reader.variant as Variant }
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
 * The plugin, and with it `ready()`, rejects with {@link OptionsError} `ERR_OPTIONS`, {@link UsageError} `ERR_VARIANT`
 * or `ERR_MERCHANT_TOKEN`, {@link PolicyError} `ERR_POLICY`, or {@link TokenError} `ERR_TOKEN` for a file of merchants.
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
  const { variant, merchantToken, signer, merchants, schema, ...guards } = options
  const signing = await signingOf(app, options)
  await app.register(generateSignature, {
    ...guards,
    ...signing,
    hasMerchants: merchants !== undefined,
    schema: { ...hostSchema, ...schema },
    config: schema !== undefined && 'body' in schema ? {} : { swaggerTransform: false }, // expects another kind of schema
    prefix: ''
  })
  const value = typeof merchantToken === 'string' ? `, key check value ${keyCheckValue(merchantToken)}` : ''
  app.log.info(`payment signature: variant ${signing.variant}${value}, guards: ${guardsOn({ ...guards, audit: guards.auditRequired ? 'required' : guards.audit })}`)
}

export default paymentSignature
