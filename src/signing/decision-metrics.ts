import { SigningError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import { readerOf, variantNames, type Variant } from '../scheme/variants.js'
import { counterIn } from '../telemetry/prometheus.js'
import type { Attempt } from './attempt.js'
import type { SigningSettings } from './options.js'

/** Outcomes of requests without a signature, by the status of the response. Metrics and audit use these names. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

const outcomes: ReadonlySet<string> = new Set(['signed', 'refused', ...Object.values(byStatus)])

/**
 * Returns the outcome of a request. The specification requires 500 for an invalid `sid`. The client causes it, so the
 * outcome is `invalid` and raises no alert.
 *
 * @param refusal - undefined for a signature
 */
export function outcomeOf (refusal?: { readonly error: unknown, readonly statusCode: number }): string {
  if (refusal === undefined) return 'signed'
  const { error, statusCode } = refusal
  if (error instanceof SigningError && error.code !== 'ERR_SIGNING_FAILED') return 'invalid'
  return byStatus[statusCode] ?? 'refused'
}

/** Returns the operations of a variant. The last one is for requests that were not read. */
function operationsOf (variant: Variant | 'A,B'): [string, ...string[]] {
  const [first, ...others] = Object.keys(readerOf(variant === 'B' ? 'B' : 'A').operations) as [string, ...string[]]
  return others.length === 0 ? [first] : [first, ...others, 'clear-cache', 'unknown']
}

/** Returns the operation of a request: `unknown` if it was not read and the variant has several. */
export const operationOf = (variant: Variant | 'A,B', reading: Reading | null): string =>
  reading?.operation ?? operationsOf(variant).at(-1)!

/**
 * Names that metrics always show: callers without a key, callers with a wrong key, and the outside probe of
 * docs/operations.md, which the alerts leave out.
 */
const always: ReadonlySet<string> = new Set(['anonymous', 'unknown', 'payment-signature-probe'])

/** Values of the label `caller`, or `merchant`, of metrics. */
export class CallerLabels {
  /** Names that have series, also of earlier policies. */
  readonly #shown = new Set<string>()
  #areShown = true
  /** Labels of the policy in use, with the one of wrong keys. */
  #inUse: ReadonlySet<string> = new Set()
  #start: (label: string) => void = () => {}

  /** @param most - number of names that metrics show. Default: 50 callers, each of which costs up to 40 series. */
  constructor (private readonly most = 50) {}

  /** Sets the callers of the policy in use. */
  use (callers: ReadonlyArray<{ readonly name: string }>): void {
    this.#areShown = callers.length <= this.most
    this.#inUse = new Set([...callers.map(({ name }) => this.of(name)), 'unknown'])
    this.#inUse.forEach(this.#start)
  }

  /** Calls a function with each label of this policy and of later ones: rates need the first value of a series. */
  each (start: (label: string) => void): void {
    this.#start = start
    this.#inUse.forEach(start)
  }

  /** Returns the name of a caller, or `other` if the policy, or all policies so far, have too many callers. */
  of (caller: string): string {
    if (always.has(caller)) return caller
    if (!this.#areShown || (this.#shown.size === this.most && !this.#shown.has(caller))) return 'other'
    this.#shown.add(caller)
    return caller
  }
}

/** Returns a function that counts decisions by variant, operation, outcome and caller, and by merchant and outcome. */
export async function decisionCounter (
  { metrics, variant: given, merchants }: SigningSettings, labels: CallerLabels
): Promise<(attempt: Attempt, outcome: string) => void> {
  if (metrics === undefined) return () => {}
  // A label for the merchant stands in a metric of its own: both together would be too many series.
  const decisions = await counterIn(metrics, 'payment_signature_decisions_total',
    'Decisions about requests for a signature.', ['variant', 'operation', 'outcome', 'caller'])
  function start (caller: string): void {
    for (const variant of given === 'A,B' ? variantNames : [given]) {
      for (const operation of operationsOf(variant)) {
        for (const outcome of outcomes) decisions.inc({ variant, operation, outcome, caller }, 0)
      }
    }
  }
  start('anonymous') // also without a policy
  labels.each(start)
  const ofMerchants = merchants && await counterIn(metrics, 'payment_signature_merchant_decisions_total',
    'Decisions about requests for a signature whose account has a merchant.', ['merchant', 'outcome'])
  const names = new CallerLabels(1000)

  return ({ merchant, reading, caller }, outcome) => {
    const variant = merchant?.variant ?? given
    decisions.inc({ variant, operation: operationOf(variant, reading), outcome, caller: labels.of(caller) })
    if (merchant !== null) ofMerchants?.inc({ merchant: names.of(merchant.name), outcome })
  }
}
