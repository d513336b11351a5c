import type { Registry } from 'prom-client'
import type { Policy } from '../../src/guard/policy.js'
import type { Reader } from '../../src/scheme/variant.js'
import type { Variant } from '../../src/scheme/variants.js'
import type { OptionValues } from '../../src/service/settings.js'
import type { Authorize } from './backend.js'

/** Who asked for what, and what becomes of it. The terms are those that are signed, under their fields' names. */
export interface Decision {
  /** The request's id in the log. */
  readonly reqId: string
  /** The trace that the request belongs to. */
  readonly trace_id?: string
  readonly audit: Readonly<Record<string, unknown>>
}

/** Options of the guards. Without options, all guards are off. */
export interface GuardOptions extends Partial<OptionValues> {
  /** Registry of prom-client for the metrics. Default: no metrics. */
  metrics?: Registry | undefined
  /**
   * Records each decision before its response is sent: `true` in the app's log, a function anywhere else. A promise or
   * another thenable that the function returns, such as a query builder, is awaited. Default: false.
   */
  audit?: boolean | ((decision: Decision) => unknown)
  /**
   * Records each decision without a promise, instead of `audit`. With `auditRequired` the response waits for `done`;
   * otherwise it is sent once the decision is handed over.
   */
  recordDecision?: (decision: Decision, done: (error?: Error) => void) => void
  /** Returns true while requests have to wait so long that another instance serves them sooner. Default: never. */
  isOverloaded?: () => boolean
  /**
   * Who may have what signed, or the path of a file that says so, which is read again when it changes: see
   * `docs/policy.md`. It implies `strict`.
   */
  policy?: Policy | string
  /** Name of the setting in the messages about an invalid policy. Default: `policy`. */
  policySetting?: string
  /** Receives the policy's file, so that the host can reload it on request. */
  watchedFiles?: Array<{ reload (isAsked?: boolean): unknown }>
  /** True: refuse keys that the documentation shows, instead of a warning. Default: NODE_ENV is `production`. */
  isProduction?: boolean
  /** Asked before anything is signed; `docs/policy.md` says with what. */
  authorize?: Authorize | undefined
}

/** Options of each guard, with the defaults of the settings. */
export type GuardSettings = GuardOptions & OptionValues

/** Options of the guards that depend on the signer. */
export type SigningSettings = GuardSettings & {
  variant: Variant
  /** Reads each request: the signer, or a variant whose signers have a token for each account. */
  reader: Pick<Reader, 'read'>
}
