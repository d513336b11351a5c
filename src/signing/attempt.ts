import type { FastifyRequest } from 'fastify'
import type { Irregularity } from '../guard/irregularities.js'
import type { IdentifiedCaller } from '../guard/policy.js'
import type { RefusedError } from '../http/refused-error.js'
import type { InvalidRequestError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import type { GuardName } from '../settings/modes.js'
import type { Merchant } from '../token/merchants-file.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The attempt to get a signature; null before our hook, and on other routes. */
    signingAttempt: Attempt | null
  }
}

/** Refusal of a guard; undefined if the guard allows the request. */
export type Verdict = RefusedError | InvalidRequestError | undefined

/** A guard of the signing route. It may refuse a request at three moments. */
export interface Guard {
  readonly name: GuardName | 'load-shedding' | 'context'
  /** Before the body is read. No request waits here: a promise is awaited once the body was read. */
  arrive? (attempt: Attempt): Verdict | Promise<Verdict>
  /** After the body was read and all guards before this one have allowed the request. */
  judge? (attempt: Attempt, reading: Reading): Verdict | Promise<Verdict>
  /** Right before the request is signed: what the guard knows may have changed during the waits of other guards. */
  confirm? (attempt: Attempt, reading: Reading): Verdict
}

/** An attempt to get a signature: the facts about a request that guards, signer, audit and metrics share. */
export class Attempt {
  /** Name of the caller in the policy; `anonymous` without a policy. */
  caller = 'anonymous'
  /** The caller by the policy at the time of the arrival; null without a policy, and for an unknown caller. */
  rules: IdentifiedCaller | null = null
  /** The same caller, but null while the policy is in report mode, in which it must not affect other guards. */
  enforcedRules: IdentifiedCaller | null = null
  /** Answers that were not there on arrival. They are awaited once the body was read. */
  readonly pending: Array<readonly [Guard, Promise<Verdict>]> = []
  /** Result of the option `context`, once it was awaited; null without the option. */
  context: unknown = null
  /** The first field that occurs twice in the body, for the strict grammar. */
  duplicateField: string | undefined
  /** True if the body has its own `merchantToken`. */
  hasOwnToken = false
  /** The merchant of the account; null before the selection, and without a file of merchants. */
  merchant: Merchant | null = null
  /** The reading to sign; null before the body was read, and if the scheme refuses the request. */
  reading: Reading | null = null
  /** Terms for the audit of a request whose account is refused and that no variant reads. */
  unreadTerms: { accountNumber: string, clientTimeStamp: string, sid: string } | null = null
  /** Irregularities of the body for the strict grammar; empty if no guard needs them. */
  irregularities: readonly Irregularity[] = []
  /** `Error-Code` of refusals that guards only reported, such as `strict; field=amount, policy`. */
  wouldRefuse: string | undefined
  isAudited = false
  isCounted = false
  /** True once a refusal or another answer has begun: nothing is signed or released from then on. */
  isClosed = false
  /** True once the signature is on its way to the client. */
  isReleased = false

  constructor (readonly request: FastifyRequest) {}
}

/** Returns the attempt of a request. A request that is refused before our hook gets it then. */
export const attemptOf = (request: FastifyRequest): Attempt => (request.signingAttempt ??= new Attempt(request))
