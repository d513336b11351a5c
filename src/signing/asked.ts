import type { FastifyRequest } from 'fastify'
import type { Irregularity } from '../guard/irregularities.js'
import type { IdentifiedCaller } from '../guard/policy.js'
import type { Merchant } from '../token/merchants-file.js'
import type { Reading } from '../scheme/request.js'
import type { Guard, Verdict } from './guards.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Facts about a request for a signature; null before our hook, and on other routes. */
    signingAsked: Asked | null
  }
}

/** Facts about a request for a signature, which guards and audit share. */
export class Asked {
  /** Name of the caller in the policy; `anonymous` without a policy. */
  caller = 'anonymous'
  /** The caller's rules, by the policy at the time of the request's arrival; null without a policy. */
  rules: IdentifiedCaller | null = null
  /** Answers that were not there on arrival: they are awaited once the body was read. */
  readonly pending: Array<readonly [Guard, Promise<Verdict>]> = []
  /** Result of the option `context`, once it was awaited; null without the option. */
  context: unknown = null
  /** The first field that occurs twice in the body, for the strict grammar. */
  duplicateField: string | undefined
  /** True if the body has its own `merchantToken`. */
  hasOwnToken = false
  /** The merchant of the account; null before it was selected, and without a file of merchants. */
  merchant: Merchant | null = null
  /** The reading to sign; null before the body was read, and if the scheme refuses the request. */
  reading: Reading | null = null
  /** Irregularities of the body for the strict grammar; empty if no guard needs them. */
  irregularities: readonly Irregularity[] = []
  /** `Error-Code` of refusals that guards only reported, such as `strict; field=amount, policy`. */
  wouldRefuse: string | undefined
  isAudited = false
  isCounted = false

  constructor (readonly request: FastifyRequest) {}
}

export const askedOf = (request: FastifyRequest): Asked => (request.signingAsked ??= new Asked(request))
