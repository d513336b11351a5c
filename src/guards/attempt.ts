import type { RefusedError } from '../http/refusals.js'
import type { Merchant } from '../merchants/merchant.js'
import type { Reading } from '../scheme/request.js'
import type { IdentifiedCaller } from './policy.js'

/** An attempt to get a signature: what is known about a request so far. */
export interface Attempt {
  /** The recording, from its beginning, with its refusal. A failure after it records no second outcome. */
  recording?: Promise<RefusedError | undefined>
  /** The caller on arrival. Undefined without a policy, and for an unknown caller. */
  caller?: IdentifiedCaller | undefined
  /** The merchant when the body was read. Undefined before, and for an unknown or forbidden account. */
  merchant?: Merchant | undefined
  /** Result of the option `context`. */
  context?: unknown
  hasOwnToken?: boolean
  /** First field that the body has twice, if a strict guard needs to know. */
  duplicate?: string | undefined
  /** Undefined before the body was read, and if the scheme refuses the request. */
  reading?: Reading
  /** Code of the refusal that STRICT=report only reports. */
  wouldRefuse?: string | undefined
}
