import type { FastifyBaseLogger } from 'fastify'
import { accountRefusalOf, type Caller } from '../guard/policy.js'
import { messages } from '../http/messages.js'
import { policyError, RefusedError } from '../http/refused-error.js'
import { checkRequest, toText, type Reading, type SignatureRequest } from '../scheme/request.js'
import type { VariantSigner } from '../scheme/variant.js'
import type { MerchantToken } from './merchant-token.js'
import { TokenError } from './token-file.js'
import {
  checkMerchants, readMerchantFiles, type Accounts, type Merchant, type MerchantFiles, type MerchantsContent,
  type Requirements
} from './merchants-file.js'

/** Time for which a replaced token is redacted at least, in milliseconds: log lines about it may come late. */
const redactedFor = 60_000

const unknownAccount = () => new RefusedError('account-number-unknown', messages.accountNumberUnknown)

/** The account of a request with its merchant, or with the refusal. */
type Selection = { accountNumber: string } &
  ({ merchant: Merchant, refusal?: undefined } | { merchant: Merchant | undefined, refusal: RefusedError })

/**
 * Selects the merchant of a request's account (specification 4.1, after step 5). The refusal is that of the policy, if
 * the caller may not sign for the account, or else that of an account without a merchant. The caller's right comes
 * first: otherwise a key could find out which accounts exist.
 *
 * @param caller - rules of the caller; null without a policy
 * @throws InvalidRequestError steps 2 to 5 refuse the request
 */
export function selectMerchant (
  accounts: Accounts, request: SignatureRequest, caller: Caller | null
): Selection {
  const { merchantAccountNumber, accountNumber: other } = checkRequest(request)
  const accountNumber = toText(merchantAccountNumber || other)
  const forbidden = caller === null ? undefined : accountRefusalOf(caller, accountNumber)
  const merchant = accounts.get(accountNumber)
  if (forbidden !== undefined) return { accountNumber, merchant, refusal: policyError(forbidden) }
  if (merchant === undefined) return { accountNumber, merchant, refusal: unknownAccount() }
  return { accountNumber, merchant }
}

/** The merchants in use. Their file is read again while the service runs. */
export class Merchants {
  /** Content of the file. The plugin reads the file before anything uses the merchants. */
  content!: MerchantsContent

  /** Returns the faults of a policy in use that does not fit new merchants. Without a policy there are none. */
  policyFaults: (next: MerchantsContent) => string[] = () => []

  /** Tokens with the time until which they are redacted. */
  readonly #redacted = new Map<string, number>()

  /** @param token - gets source and key check value of the tokens, and redacts them */
  constructor (
    private readonly requirements: Requirements, private readonly log: FastifyBaseLogger,
    private readonly token?: MerchantToken
  ) {}

  /** The variants of all merchants: `A`, `B`, or `A,B`. */
  get variant (): string {
    return this.content.variant
  }

  /** Describes the merchants for the log. */
  readonly state = (): string => `${this.content.counted}, key check value ${this.content.keyCheckValue}`

  /** @throws TokenError `ERR_TOKEN`: the files cannot be read */
  readonly read = (flag?: number) => readMerchantFiles(this.requirements, flag)

  /**
   * Replaces the merchants. Returns false if they are the same.
   *
   * @throws TokenError `ERR_TOKEN`: the files cannot be used
   */
  readonly use = async (files: MerchantFiles): Promise<boolean> => {
    if (files.fingerprint === this.content?.fingerprint) return false
    const next = await checkMerchants(files, this.requirements)
    const now = performance.now()
    for (const text of [...this.content?.tokens ?? [], ...next.tokens]) this.#redacted.set(text, now + redactedFor)
    for (const [text, until] of this.#redacted) if (until < now) this.#redacted.delete(text)
    await this.token?.hideAll([...this.#redacted.keys()])
    // From here on without a pause: the policy is not replaced between its check and the use of the merchants.
    const faults = this.policyFaults(next)
    if (faults.length > 0) throw new TokenError(faults.join('\n'))
    this.content = next
    const source = `${this.requirements.setting} (${this.requirements.path}, ${next.counted})`
    if (this.token !== undefined) Object.assign(this.token, { source, keyCheckValue: next.keyCheckValue })
    for (const warning of next.warnings) this.log.warn(warning)
    return true
  }

  /** Selects the merchant of a request, like {@link selectMerchant}. */
  readonly select = (request: SignatureRequest, caller: Caller | null): Selection =>
    selectMerchant(this.content.accounts, request, caller)

  /**
   * Returns the signer that has read the request, if the account still belongs to its merchant: the merchants may have
   * changed since then.
   */
  readonly signerFor = ({ merchant }: { merchant: Merchant | null }, { accountNumber }: Reading): VariantSigner => {
    const now = this.content.accounts.get(accountNumber)
    if (now === undefined || now.name !== merchant?.name || now.variant !== merchant.variant) throw unknownAccount()
    return merchant.signer
  }
}
