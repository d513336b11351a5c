import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Registry } from 'prom-client'
import type { Policy } from '../guard/policy.js'
import type { Reading } from '../scheme/request.js'
import type { Reader, Signer } from '../scheme/variant.js'
import type { Variant } from '../scheme/variants.js'
import type { Modes } from '../settings/modes.js'
import type { Environment, OptionValues } from '../settings/settings.js'
import type { Merchants } from '../token/merchants-in-use.js'
import type { Attempt } from './attempt.js'
import type { Authorize, Refusal } from './backend.js'

/** Returns the token of an account, or a refusal with a status from 400 to 499. */
export type TokenFunction<Context = unknown> =
  (accountNumber: string, context: Context) => string | Refusal | Promise<string | Refusal>

/** Fields that are signed, under their names. Long texts are cut. Absent for a request that was not read. */
type AuditedFields = { readonly [name in
  'accountNumber' | 'amount' | 'orderId' | 'transactionFCRN' | 'transactionId' | 'idType' | 'clientTimeStamp']?: string | undefined
}

/** Caller, signed fields and outcome of a request. `docs/operations.md` shows a record. */
export interface AuditRecord extends AuditedFields {
  readonly outcome: string
  readonly reason?: string | undefined
  /** Codes of the refusals of guards in report mode, such as `strict, policy`. */
  readonly wouldRefuse?: string | undefined
  readonly caller: string
  /** The text `auditAs` of the option `context`'s result. */
  readonly user?: string | undefined
  /** First 6 digits of the SHA-256 of the caller's API key. */
  readonly apiKey?: string | undefined
  readonly clientAddress: string
  /** `A,B` for a request that does not show the merchant, if each merchant has a variant. */
  readonly variant: Variant | 'A,B'
  /** Name of the merchant in the file of merchants. */
  readonly merchant?: string | undefined
  readonly operation: string
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clear-cache' | undefined
  readonly sidSha256?: string | undefined
  readonly merchantToken?: 'of the request' | undefined
}

/** A request and its outcome, for the audit. */
export interface Decision {
  /** The request's id in the log. */
  readonly reqId: string
  /** ID of the request's trace. */
  readonly trace_id?: string
  readonly audit: AuditRecord
}

/** All members are optional and may be undefined. */
type Optional<T> = { [name in keyof T]?: T[name] | undefined }

/** Options of the guards. Without options, all guards are off. */
export interface GuardOptions<Context = unknown> extends Optional<OptionValues> {
  /** Registry of prom-client for the metrics. Default: no metrics. */
  metrics?: Registry | undefined
  /**
   * Records each decision before its response is sent: `true` in the app's log, a function anywhere else. A promise or
   * another thenable that the function returns, such as a query builder, is awaited. Default: false.
   */
  audit?: boolean | ((decision: Decision) => unknown) | undefined
  /** Returns true to refuse requests because of overload. Default: never. */
  isOverloaded?: (() => boolean) | undefined
  /**
   * Callers and their rights (`docs/authorization.md`), or the path of a JSON file with them, which is read again when
   * the file changes. Implies `strict`.
   */
  policy?: Policy | string | undefined
  /** Receives the policy's file, so that the host can reload it on request. */
  watchedFiles?: Array<{ reload (isAsked?: boolean): unknown }> | undefined
  /** True: refuse keys that the documentation shows, instead of a warning. Default: NODE_ENV is `production`. */
  isProduction?: boolean | undefined
  /**
   * Returns the app's data about a request, such as its user. Called before the body is read, and after the limits in
   * memory and the check of the API key; awaited after the body. A member `auditAs`, of 1 to 64 printable characters,
   * is `user` in the audit. `authorize` and `merchantToken` get the result. An
   * error is handled like that of a hook: with a `statusCode` from 400 to 499, or 503, the client gets the message;
   * otherwise the response is 500.
   */
  context?: ((request: FastifyRequest) => Context | Promise<Context>) | undefined
  /** Decides before anything is signed. `docs/authorization.md` describes its input. */
  authorize?: Authorize<Context> | undefined
}

/** Options of each guard, with the defaults of the settings. */
export type GuardSettings = GuardOptions & OptionValues

export type SignerSource = (attempt: Attempt, reading: Reading) => Signer | Promise<Signer>

/** Reads and signs the requests of a route. */
export interface Signing {
  /** Variant of requests without a merchant: `A,B` if each merchant has one. */
  readonly variant: Variant | 'A,B'
  /** Reader of the requests: the signer, or the variant if each account has its own token. */
  readonly reader: Pick<Reader, 'read'>
  /** Merchants of a file, which have readers of their own; undefined for one merchant. */
  readonly merchants: Merchants | undefined
  readonly signerFor: SignerSource
}

/** Settings of the signing route, without its signers. */
export type SigningSettings = GuardSettings & Omit<Signing, 'signerFor'> & {
  /** The modes that follow from the options. */
  modes: Modes
  /**
   * Records each decision without a promise, instead of `audit`. With `auditRequired` the response waits for `done`;
   * otherwise it is sent once the decision is handed over.
   */
  recordDecision?: ((decision: Decision, done: (error?: Error) => void) => void) | undefined
  /** Name of the setting in the messages about an invalid policy. Default: `policy`. */
  policySetting?: string | undefined
  /** Returns the beginning of a text without a token, for the audit. Default: the beginning as it is. */
  cut?: ((text: string, length: number) => string) | undefined
}

/** Destination of lines. `write` must call `done`, if it gets one: the audit waits for it. */
export interface LineOutput {
  /** Number of lost lines. */
  readonly lost: number
  write (line: string, done?: (error?: Error) => void): void
}

/** Options of `createApp`. */
export interface AppOptions {
  /** Environment variables. Default: the process' environment and the `.env` file. */
  config?: Partial<Environment> | undefined
  /** Custom signer. Default: the configured variant with the configured token. */
  signer?: Signer | undefined
  /** Path of a file of merchants, instead of MERCHANTS_FILE. */
  merchants?: string | undefined
  /**
   * Returns the token of an account for each request that is about to be signed, instead of MERCHANT_TOKEN. The plugin
   * has the same option.
   */
  merchantToken?: TokenFunction | undefined
  /** Returns your data about a request, for `authorize` and `merchantToken`. The plugin's option is the same. */
  context?: GuardOptions['context'] | undefined
  /** Interval in which MERCHANT_TOKEN_FILE and POLICY_FILE are read, in milliseconds; for tests. Default: 10000. */
  pollInterval?: number | undefined
  /** Decides before anything is signed, instead of AUTHORIZE_URL. */
  authorize?: Authorize | undefined
  /**
   * Destination of the log, unless `logger` has a `stream`, `file` or `transport`, and of the audit without AUDIT_FILE.
   * Default: standard output.
   */
  output?: LineOutput | undefined
  /** Fastify's `logger` options; `false` for no log. LOG_LEVEL sets the level. */
  logger?: NonNullable<FastifyServerOptions['logger']> | undefined
}
