import type { TermName } from '../scheme/pre-images.js'
import type { SignatureRequest, Variant } from '../scheme/request.js'
import type { Computation } from './computation.js'

export type { TermName }

/** A text for each term, the merchant token included. */
export type SomeTerms = Readonly<Record<TermName, string>>

/** What a hypothesis may look at besides the text of its term. */
export interface Context {
  readonly variant: Variant
  readonly request: SignatureRequest
  readonly terms: SomeTerms
}

/** Another text of a term, with what tells it from the others of the same hypothesis. */
export interface NamedText {
  readonly text: string
  /** Takes the place of the hypothesis' own `says`. */
  readonly says: string
}

/**
 * One mistake that people make with a term. To add one, add an object to a list in `hypotheses/`, and a line to its
 * test.
 */
export interface TermHypothesis {
  /** Stable and unique. */
  readonly name: string
  readonly terms: readonly TermName[]
  /** Texts that may have been hashed in the place of `text`. Those equal to it are ignored. */
  readonly texts: (text: string, context: Context) => Iterable<string | NamedText>
  /** Completes `amount was "100", not "100.00": …`; for the token, `The token …`. */
  readonly says: string
  /** What to do about it: a sentence. */
  readonly fix: string
  /**
   * With what it is not combined, since it has many texts or since it makes no sense. `term`: another change of the
   * same term; `pair`: that, and more than one other change of the same part; `part`: any other change of that part.
   */
  readonly alone?: 'term' | 'pair' | 'part'
}

/** One mistake in the choice of the scheme or the operation, which changes several terms. */
export interface DerivationHypothesis {
  readonly name: string
  /** The variants and requests that may have been signed instead. */
  readonly derivations: (context: Context) => Iterable<{ variant: Variant, request: SignatureRequest, finding: string }>
  readonly fix: string
}

/** One mistake in how the terms become digests. */
export interface ComputationHypothesis {
  readonly name: string
  readonly computations:
  (context: Context) => Iterable<{ readonly computation: Partial<Computation>, readonly finding: string }>
  readonly fix: string
}
