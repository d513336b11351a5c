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

/** An attempt to get a signature, as far as it came. Each member is written at one place. */
export interface Attempt {
  /** The caller. Undefined without a policy, and for an unknown caller. */
  caller?: Caller | undefined
  /** The merchant of the account. Undefined for a request that was refused before. */
  merchant?: Merchant
  /** The request as it will be signed. Undefined for a request that was refused before. */
  reading?: Reading
  /** The refusal that STRICT=report only reports. */
  wouldRefuse?: RefusedError
  /** The user, as the answer of `authorize` names it. */
  user?: string | undefined
  /** The one recording, from its beginning. Resolves to a refusal if the response must be that. */
  recording?: Promise<RefusedError | undefined>
}

/** A request that was read, as the guards see it. */
export interface Asked {
  readonly request: FastifyRequest
  /** The request as it was sent, only for STRICT: what is signed is the reading. */
  readonly body: SignatureRequest
  readonly merchant: Merchant
  readonly reading: Reading
  /** For the caller, and for what a guard finds out for the record. */
  readonly attempt: Attempt
}

/** Refuses a request by throwing. A guard that returned its refusal would not compile. */
export type Guard = (asked: Asked) => undefined | Promise<undefined>
