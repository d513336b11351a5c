import { accountRefusalOf, type Caller } from '../guard/policy.js'
import { messages } from '../http/messages.js'
import { RefusedError } from '../http/refused-error.js'
import { checkRequest, toText, type Reading, type SignatureRequest } from '../scheme/request.js'
import type { Signer } from '../scheme/variant.js'
import type { Merchant, MerchantsContent } from './merchants-file.js'

const unknownAccount = () => new RefusedError('account-number-unknown', messages.accountNumberUnknown)

/** The merchants in use. As a signer, signs each request with variant and token of the merchant of its account. */
export class Merchants implements Signer {
  byAccount: MerchantsContent['byAccount'] = new Map()

  /** Returns the faults of a policy in use that does not fit new merchants. Without a policy there are none. */
  policyFaults: (byAccount: MerchantsContent['byAccount']) => string[] = () => []

  /** The variants of all merchants: `A`, `B`, or `A,B`. Computed once for each file: everybody may call /health. */
  variant = ''

  /** The merchant for whom a request was read, by name: the account may be another merchant's when it is signed. */
  readonly #nameOf = new WeakMap<Reading, string>()

  /**
   * Returns the merchant of the account of a request (specification 4.1, after step 5).
   *
   * @throws InvalidRequestError steps 2 to 5 refuse the request
   * @throws RefusedError the caller may not sign for the account, or the account is not known
   */
  select (request: SignatureRequest, caller: Caller | null): Merchant {
    const { merchantAccountNumber, accountNumber: other } = checkRequest(request)
    const accountNumber = toText(merchantAccountNumber || other)
    const refusal = caller === null ? undefined : accountRefusalOf(caller, accountNumber)
    if (refusal !== undefined) throw new RefusedError('policy', refusal)
    const merchant = this.byAccount.get(accountNumber)
    if (merchant === undefined) throw unknownAccount()
    return merchant
  }

  read (request: SignatureRequest): Reading {
    const { name, signer } = this.select(request, null)
    const reading = signer.read(request)
    this.#nameOf.set(reading, name)
    return reading
  }

  /** Signs with the token that the account has now: the merchants may have changed since the request was read. */
  signReading (reading: Reading): string {
    const merchant = this.byAccount.get(reading.accountNumber)
    if (merchant?.variant !== reading.variant || merchant.name !== this.#nameOf.get(reading)) throw unknownAccount()
    return merchant.signer.signReading(reading)
  }
}
