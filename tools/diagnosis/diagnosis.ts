import type { SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'

/** A difference between the given signature and the signature of this library. */
export interface Change {
  /** The stable name of the hypothesis, such as `amount-decimals`. */
  readonly hypothesis: string
  /** Other hypotheses that lead to the same text. */
  readonly alsoKnownAs: readonly string[]
  /** A fact in one sentence, which the digest proves. It never contains a token. */
  readonly finding: string
  /** A possible reason for the difference, in one sentence. Empty if the finding is complete. */
  readonly interpretation: string
  /** An instruction, in one sentence. */
  readonly fix: string
}

export const change = (hypothesis: string, finding: string, fix: string, interpretation = ''): Change =>
  ({ hypothesis, alsoKnownAs: [], finding, interpretation, fix })

/** Changes that together yield the signature. */
interface Cause {
  readonly changes: readonly Change[]
}

/**
 * `matches`: the part is right; `explained`: it is right after the changes of the first cause; `unexplained`: no cause
 * was found; `unsearched`: part 2 without a token.
 */
export type PartFinding = 'matches' | 'explained' | 'unexplained' | 'unsearched'

export interface Diagnosis {
  /** True if the signature matches the request. */
  readonly valid: boolean
  readonly part1: PartFinding
  readonly part2: PartFinding
  /** Causes of the parts that are `explained`, the most likely first. */
  readonly causes: readonly Cause[]
  /** Sentences about parts that differ, and about values that are known to be right. */
  readonly hints: readonly string[]
  /** Number of texts that were hashed. */
  readonly tries: number
  /** False if the search reached its limit before everything was tried. */
  readonly complete: boolean
}

export interface DiagnoseOptions {
  readonly variant: Variant
  /** The configured token. Default: the request's own `merchantToken`. Without either, only part 1 is searched. */
  readonly merchantToken?: string | undefined
  /** Other tokens that may have been used, such as those of other environments, by the names to show. */
  readonly otherTokens?: Readonly<Record<string, string>> | undefined
  /** The request as the other side received it. Each field that differs may be the cause. */
  readonly otherRequest?: Readonly<Record<string, unknown>> | undefined
  /** Limit of the texts that are hashed. Default: 1300000, which takes about a second. */
  readonly maxTries?: number | undefined
}

/** Options of a search in a file of many requests. */
export interface FileOptions extends DiagnoseOptions {
  /** Other requests of the file: a value of one of them may have been used. */
  readonly otherRequests?: readonly SignatureRequest[]
  /** Names of the only hypotheses to try: those of a cause of another request, or none. Default: all. */
  readonly hypotheses?: ReadonlySet<string> | undefined
}
