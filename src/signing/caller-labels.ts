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
