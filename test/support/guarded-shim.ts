import { InvalidRequestError, UsageError } from '../../src/scheme/errors.js'
import type { Reading, SignatureRequest } from '../../src/scheme/request.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { VariantB } from '../../src/scheme/variant-b.js'
import { irregularitiesOf } from '../../src/guard/irregularities.js'
import { strictRule, strictTokenFault } from '../../src/guard/strict.js'

/** Options of a signer, with their defaults. The service and the plugin have the same defaults. */
export const signDefaults = {
  /** False: refuse a request with its own `merchantToken` (`ERR_BODY_TOKEN`). Default: true, its token signs. */
  acceptBodyToken: true,
  /** True: refuse a request whose signature could serve for another operation (`ERR_STRICT`). Default: false. */
  strict: false,
  /** Number of digits of an account number under `strict`. Default: 6. */
  accountNumberDigits: 6
}

/** Guards of a signer. Without options it signs every request that the specification allows. */
export type SignOptions = { readonly [name in keyof typeof signDefaults]?: typeof signDefaults[name] | undefined }

/** Completes options with defaults. An undefined option gets its default too. */
export const withDefaults = <D extends object, T extends object>(defaults: D, options: T): T & D =>
  ({ ...defaults, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T })

/** Returns a guard, which throws an InvalidRequestError. */
function guardOf (merchantToken: string, given: SignOptions): (request: SignatureRequest, reading: Reading) => void {
  const options = withDefaults(signDefaults, Object(given) as SignOptions)
  const { acceptBodyToken, strict, accountNumberDigits: digits } = options
  const areFlags = typeof acceptBodyToken === 'boolean' && typeof strict === 'boolean'
  const areDigits = Number.isInteger(digits) && digits >= 1 && digits <= 32
  const isObject = typeof given === 'object' && given !== null
  if (!isObject || !areFlags || !areDigits || Object.keys(options).some(name => !Object.hasOwn(signDefaults, name))) {
    throw new UsageError('ERR_OPTIONS', 'acceptBodyToken and strict must be true or false, accountNumberDigits an ' +
      'integer from 1 to 32; there are no other options')
  }
  if (strict && strictTokenFault(merchantToken) !== undefined) {
    throw new UsageError('ERR_STRICT_TOKEN', 'strict needs a token that has more than digits and points')
  }
  const faultIn = strict ? strictRule(digits, false) : undefined

  return (request, reading) => {
    if (!acceptBodyToken && request.merchantToken) throw new InvalidRequestError('ERR_BODY_TOKEN')
    const fault = faultIn?.(reading, irregularitiesOf(request, reading), Date.now())
    if (fault !== undefined) throw new InvalidRequestError('ERR_STRICT', fault)
  }
}

/**
 * {@link VariantA} with guards; the package exports it as `VariantA`. With guards, `read` and `sign` also throw an
 * InvalidRequestError `ERR_BODY_TOKEN` or `ERR_STRICT`.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`, `ERR_OPTIONS`, `ERR_STRICT_TOKEN`
 *
 * @example
 * const signer = new VariantA('merchant-token', { strict: true, acceptBodyToken: false })
 * signer.sign(request)
 */
export class GuardedVariantA extends VariantA {
  protected override readonly check
  protected override readonly isStrict
  constructor (merchantToken: string, options: SignOptions = {}) {
    super(merchantToken)
    this.check = guardOf(merchantToken, options)
    this.isStrict = options.strict === true
  }
}

/** {@link VariantB} with the same guards; the package exports it as `VariantB`. */
export class GuardedVariantB extends VariantB {
  protected override readonly check
  constructor (merchantToken: string, options: SignOptions = {}) {
    super(merchantToken)
    this.check = guardOf(merchantToken, options)
  }
}
