import { InvalidRequestError, UsageError } from '../scheme/errors.js'
import { bringsToken } from '../scheme/reading.js'
import type { Reading } from '../scheme/reading.js'
import { VariantSigner } from '../scheme/signer.js'
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

/** Returns a function that throws what is wrong with a request. */
function checkOf (merchantToken: string, options: SignOptions): (reading: Reading) => void {
  const { acceptBodyToken = true, strict = false, accountNumberDigits, timeStampMaxAhead, ...unknown } = options
  const areFlags = typeof acceptBodyToken === 'boolean' && typeof strict === 'boolean'
  if (!areFlags || Object.keys(unknown).length > 0) throw new UsageError('ERR_OPTIONS')
  if (strict && strictTokenFault(merchantToken) !== undefined) throw new UsageError('ERR_STRICT_TOKEN')
  const faultIn = strict ? strictRule(accountNumberDigits, timeStampMaxAhead) : () => undefined

  return reading => {
    if (!acceptBodyToken && bringsToken(reading)) throw new InvalidRequestError('ERR_BODY_TOKEN')
    const fault = faultIn(reading, Date.now())
    if (fault !== undefined) throw new InvalidRequestError('ERR_STRICT', fault)
  }
}

/**
 * Variant A: operation-aware, any session id that is not blank, an order term in part 2 (specification 4.2, 4.3).
 *
 * @example
 * const signer = new VariantA(process.env.MERCHANT_TOKEN ?? '', { strict: true, acceptBodyToken: false })
 * signer.sign({
 *   operationType: 'refund', amount: '100.00', merchantAccountNumber: '102551', transactionFCRN: '987654',
 *   sid: 'client-generated-session-id', clientTimeStamp: 1709912345678
 * })
 */
export class VariantA extends VariantSigner<'A'> {
  /**
   * @param merchantToken - the merchant's secret token
   * @throws UsageError `ERR_MERCHANT_TOKEN`, `ERR_OPTIONS`, `ERR_STRICT_TOKEN`
   */
  constructor (merchantToken: string, options: SignOptions = {}) {
    super('A', merchantToken, checkOf(merchantToken, options))
  }
}

/**
 * Variant B: single-purpose, a UUID v4 as session id, the order id as the reference (specification 4.2 and 4.4).
 *
 * @example
 * const signer = new VariantB(process.env.MERCHANT_TOKEN ?? '', { strict: true, acceptBodyToken: false })
 * signer.sign({
 *   amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345',
 *   sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
 * })
 */
export class VariantB extends VariantSigner<'B'> {
  /**
   * @param merchantToken - the merchant's secret token
   * @throws UsageError `ERR_MERCHANT_TOKEN`, `ERR_OPTIONS`, `ERR_STRICT_TOKEN`
   */
  constructor (merchantToken: string, options: SignOptions = {}) {
    super('B', merchantToken, checkOf(merchantToken, options))
  }
}
