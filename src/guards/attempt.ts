import type { FastifyRequest } from 'fastify'
import type { RefusedError } from '../http/refusals.js'
import type { Merchant } from '../merchants/merchant.js'
import type { Reading } from '../scheme/request.js'

/** Caller of a request, as the policy knows it. */
export interface Caller {
  readonly name: string
  /** First 6 digits of the SHA-256 of the caller's API key; undefined for the caller without a key. */
  readonly keyId?: string | undefined
  /** The accounts that the caller may use. */
  readonly accountNumbers: readonly string[]
  /** Requests in a minute. Default: RATE_LIMIT_MAX. */
  readonly rate?: number | undefined
}

/** Members of the record that guards add. */
export interface Findings {
  /** The refusal that STRICT=report only reports. */
  wouldRefuse?: RefusedError
  /** The user, as the merchant's decision names it. */
  user?: string | undefined
}

/** A request that was read, as the guards see it. */
export interface Asked {
  readonly request: FastifyRequest
  readonly caller: Caller | undefined
  readonly merchant: Merchant
  readonly reading: Reading
  readonly found: Findings
}

/** Refuses a request by throwing. A guard that returned its refusal would not compile. */
export type Guard = (asked: Asked) => undefined | Promise<undefined>

/** A decision about a request. What it did not come to is undefined. */
export interface Decision {
  readonly merchant?: Merchant | undefined
  /** Undefined if the scheme refuses the request. */
  readonly reading?: Reading | undefined
  readonly found: Findings
  /** The signature, or the refusal. */
  readonly outcome: string | RefusedError
}

/** An attempt to get a signature: each member is of one stage, and is written at one place. */
export interface Attempt {
  /** On arrival. Undefined without a policy, and for an unknown caller. */
  caller?: Caller | undefined
  /** In the handler. Undefined for a request that was refused before. */
  decision?: Decision
  /** At the end: the recording, from its beginning, with its refusal. A failure after it records no second outcome. */
  recording?: Promise<RefusedError | undefined>
}
