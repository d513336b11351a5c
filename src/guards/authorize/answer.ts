import { refusedBy, type RefusedError } from '../../http/refusals.js'
import type { SignedFields } from '../../scheme/request.js'

/** Input of a decision: the fields, the caller, and the headers that identify the caller. */
export interface AuthorizeInput<Context = unknown> {
  /** The fields that the signature will be made from, as text. */
  readonly request: SignedFields
  /** The second argument of the handler, such as Hono's context; undefined for an app that listens. */
  readonly context: Context
  /** The operation that accepts the same signature. Allowing an inquiry by digits also allows that void. */
  readonly alsoSignedLike?: 'void' | 'inquiry' | 'clearCache' | undefined
  /** The caller's name in the policy; `anonymous` without one. */
  readonly caller: string
  /** IP address of the client. */
  readonly clientAddress: string
  /** The headers that may identify a user, and the one that continues a trace, as they came. */
  readonly headers: Readonly<Record<'authorization' | 'cookie' | 'traceparent', string | undefined>>
  /** The request's id in log and audit. */
  readonly requestId: string
}

/** The answer of `authorize`, and of a backend in JSON. */
export interface Answer {
  readonly allowed: boolean
  /** Status of a refusal, from 400 to 499. Default: 403. A backend's response has its own status. */
  readonly statusCode?: number | undefined
  /** Message for the client. Default: `Refused by the merchant`. */
  readonly error?: string | undefined
  /** Reason for programs, 1 to 64 of `A-Z a-z 0-9 . _ -`: the client gets `Error-Code: refused; reason=…`. */
  readonly code?: string | undefined
  /** `user` in the audit: a number, or a text of 1 to 64 printable characters. Another value is left out. */
  readonly auditAs?: string | number | undefined
}

/**
 * Decides whether a request may be signed. `true` and `false` are short for answers without another member. For any
 * other result, an error or no result within AUTHORIZE_TIMEOUT, the response is 503 and nothing is signed.
 */
export type Authorize<Context = unknown> =
  (input: AuthorizeInput<Context>, signal: AbortSignal) => boolean | Answer | Promise<boolean | Answer>

/** An answer as the route uses it: the refusal, if it is one, and the user. */
export interface Verdict { readonly refusal?: RefusedError | undefined, readonly user?: string | undefined }

/** Returns the user for the audit; undefined for a value that could not stand in it. */
function userIn (auditAs: unknown): string | undefined {
  if (Number.isFinite(auditAs)) return String(auditAs)
  return typeof auditAs === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(auditAs) ? auditAs : undefined
}

/** Returns the verdict of an answer, which may have no types; undefined for another value. */
export function verdictOf (answer: unknown): Verdict | undefined {
  const given: Partial<Answer> = typeof answer === 'boolean' ? { allowed: answer } : Object(answer)
  const { allowed, statusCode = 403, error, code, auditAs } = Object.hasOwn(given, 'allowed') ? given : {}
  const refusal = allowed === false ? refusedBy({ statusCode, error, code }) : undefined
  return allowed === true || refusal !== undefined ? { refusal, user: userIn(auditAs) } : undefined
}

/** Error for a missing decision. The message is for the log, and contains nothing of the URL or the response's body. */
export class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'

  /** @param isOutage - true after a network error, a time-out or a 5xx, which can end by itself */
  constructor (message: string, readonly isOutage = false) { super(message) }
}
