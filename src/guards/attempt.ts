import type { FastifyRequest } from 'fastify'
import type { RefusedError } from '../http/refusals.js'
import type { Merchant } from '../merchants/merchant.js'
import type { Reading, SignatureRequest } from '../scheme/request.js'
import type { PolicyCaller } from './policy/policy-schema.js'

/** Caller of a request: an entry of the policy. */
export type Caller = PolicyCaller & {
  /** First 6 digits of the SHA-256 of the caller's API key; undefined for the caller without a key. */
  readonly keyId?: string | undefined
}

/** Decision about a request, as far as it came. */
export interface Decision {
  merchant?: Merchant
  /** Undefined if the scheme refuses the request. */
  reading?: Reading
  /** The refusal that STRICT=report only reports. */
  wouldRefuse?: RefusedError
  /** The user, as the answer of `authorize` names it. */
  user?: string | undefined
}

/** A request that was read, as the guards see it. */
export interface Asked {
  readonly request: FastifyRequest
  /** The request as it was sent, only for STRICT: what is signed is the reading. */
  readonly body: SignatureRequest
  /** Undefined without a policy. */
  readonly caller: Caller | undefined
  readonly merchant: Merchant
  readonly reading: Reading
  readonly decision: Decision
}

/** Refuses a request by throwing. A guard that returned its refusal would not compile. */
export type Guard = (asked: Asked) => undefined | Promise<undefined>

/** An attempt to get a signature: each member is of one stage, and is written at one place. */
export interface Attempt {
  /** On arrival. Undefined without a policy, and for an unknown caller. */
  caller?: Caller | undefined
  /** From the beginning of the handler. Undefined for a request that was refused before. */
  decision?: Decision
  /** At the end: the recording, from its beginning, with its refusal. A failure after it records no second outcome. */
  recording?: Promise<RefusedError | undefined>
}
