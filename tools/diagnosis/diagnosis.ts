import type { Variant } from '../../src/scheme/variants.js'

/** A difference between how the signature was made and how this library makes it. */
export interface Change {
  /** The stable name of the hypothesis, such as `amount-decimals`. */
  readonly hypothesis: string
  /** Other hypotheses that lead to the same text. */
  readonly alsoKnownAs: readonly string[]
  /** The fact, in one sentence: the digest proves it. It never shows a token. */
  readonly finding: string
  /** A possible reason of the difference, in one sentence; empty if the finding is complete. */
  readonly interpretation: string
  /** An instruction, in one sentence. */
  readonly fix: string
  /** The text of a field when it was signed, and the text in the request. Undefined for tokens and other changes. */
  readonly texts?: { readonly signed: string, readonly sent: string } | undefined
}

export const change = (hypothesis: string, finding: string, fix: string): Change =>
  ({ hypothesis, alsoKnownAs: [], finding, interpretation: '', fix })

/** Changes that together yield the signature. */
export interface Cause {
  readonly changes: readonly Change[]
  /** The number of explanations that are as likely as this one, itself included: 1 for the only one. */
  readonly equallyLikely: number
}

/**
 * `matches`: right as it is; `explained`: right after the changes of the first cause; `unsearched`: part 2 without a
 * token.
 */
export type PartFinding = 'matches' | 'explained' | 'unexplained' | 'unsearched'

export interface Diagnosis {
  /** The signature is right as it is: there is nothing to find. */
  readonly valid: boolean
  readonly part1: PartFinding
  readonly part2: PartFinding
  /** What explains the parts that are `explained`, the likeliest first; empty if nothing does, or nothing has to. */
  readonly causes: readonly Cause[]
  /** Sentences about the parts that mismatch, and about causes that are ruled out. */
  readonly hints: readonly string[]
  /** How many texts were hashed. */
  readonly tries: number
  /** False if the bound on the work was reached before everything was tried. */
  readonly complete: boolean
}

export interface DiagnoseOptions {
  readonly variant: Variant
  /** The configured token. Default: the request's own `merchantToken`. Without either, only part 1 is searched. */
  readonly merchantToken?: string | undefined
  /** Other tokens that may have been used, such as those of other environments, by the names to show. */
  readonly otherTokens?: Readonly<Record<string, string>> | undefined
  /** The request as the other side believes it was: each field that differs may be the cause. */
  readonly otherRequest?: Readonly<Record<string, unknown>> | undefined
  /** The most changes that are combined within one part, 0 to 3; 3 if not given. */
  readonly maxChanges?: number | undefined
  /** The most texts that are hashed. Default: 1300000, which takes about a second. */
  readonly maxTries?: number | undefined
  /** Tries many other values, which takes minutes: see `maxTries` of the command line's `--deep`. Default: false. */
  readonly deep?: boolean | undefined
  /** Called about twenty times a second while the search goes on, with the number of texts hashed so far. */
  readonly onProgress?: ((tries: number) => void) | undefined
}
