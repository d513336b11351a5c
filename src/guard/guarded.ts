import { InvalidRequestError, UsageError } from '../scheme/errors.js'
import type { SignatureRequest } from '../scheme/fields.js'
import { bringsToken } from '../scheme/reading.js'
import type { Reading } from '../scheme/reading.js'
import { VariantA } from '../scheme/variant-a.js'
import { VariantB } from '../scheme/variant-b.js'
import type { VariantSigner } from '../scheme/variant.js'
import { strictRule, strictTokenFault } from './strict.js'

/** Guards of a signer. Without options it signs every request that the specification allows. */
export interface SignOptions {
  /** False: a request with its own `merchantToken` is refused, `ERR_BODY_TOKEN`. Default: true: that token signs. */
  readonly acceptBodyToken?: boolean
  /** True: a request is refused if its signature could serve for another operation, `ERR_STRICT`. Default: false. */
  readonly strict?: boolean
  /** Number of digits of an account number under `strict`. Default: 6. */
  readonly accountNumberDigits?: number
  /** How far a time stamp may be ahead of the clock under `strict`, in milliseconds. Default: 86400000, a day. */
  readonly timeStampMaxAhead?: number
}

/** Defaults of {@link SignOptions}. The service and the plugin have the same. */
export const signDefaults = {
  acceptBodyToken: true, strict: false, accountNumberDigits: 6, timeStampMaxAhead: 86_400_000
}

/** Returns a function that returns a reading, or throws an InvalidRequestError. */
function checkOf (merchantToken: string, options: SignOptions): (reading: Reading) => Reading {
  const {
    acceptBodyToken = signDefaults.acceptBodyToken,
    strict = signDefaults.strict,
    accountNumberDigits = signDefaults.accountNumberDigits,
    timeStampMaxAhead = signDefaults.timeStampMaxAhead,
    ...unknown
  } = options
  const areFlags = typeof acceptBodyToken === 'boolean' && typeof strict === 'boolean'
  if (!areFlags || Object.keys(unknown).length > 0) throw new UsageError('ERR_OPTIONS')
  if (strict && strictTokenFault(merchantToken) !== undefined) throw new UsageError('ERR_STRICT_TOKEN')
  const faultIn = strict ? strictRule(accountNumberDigits, timeStampMaxAhead, false) : () => undefined

  return reading => {
    if (!acceptBodyToken && bringsToken(reading)) throw new InvalidRequestError('ERR_BODY_TOKEN')
    const fault = faultIn(reading, Date.now())
    if (fault !== undefined) throw new InvalidRequestError('ERR_STRICT', fault)
    return reading
  }
}

/** Adds the guards to a variant, as a second argument of its constructor. */
function guarded<Variant extends VariantSigner> (variant: new (merchantToken: string) => Variant) {
  abstract class Guarded extends (variant as new (merchantToken: string) => VariantSigner) {
    protected readonly check: (reading: Reading) => Reading

    constructor (merchantToken: string, options: SignOptions = {}) {
      super(merchantToken)
      this.check = checkOf(merchantToken, options)
    }

    override read (request: SignatureRequest): Reading {
      return this.check(super.read(request))
    }
  }
  return Guarded as unknown as new (merchantToken: string, options?: SignOptions) => Variant
}

/**
 * {@link VariantA} with guards; the package exports it as `VariantA`. The constructor throws a UsageError:
 * `ERR_MERCHANT_TOKEN`, `ERR_OPTIONS`, `ERR_STRICT_TOKEN`. `read` and `sign` also throw `ERR_BODY_TOKEN`, `ERR_STRICT`.
 */
export const GuardedVariantA = guarded(VariantA)
export type GuardedVariantA = VariantA

/** {@link VariantB} with the same guards; the package exports it as `VariantB`. */
export const GuardedVariantB = guarded(VariantB)
export type GuardedVariantB = VariantB
