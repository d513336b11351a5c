/** The kinds of texts. The names of hypotheses begin with them. `text` is a whole hashed text. */
export type Kind = 'timestamp' | 'sid' | 'amount' | 'identifier' | 'account-number' | 'token' | 'text'

/** A sentence, or a function that makes it from the signed and the sent text. A sentence never shows a token. */
type Sentence = string | ((signed: string, sent: string, kind: Kind) => string)

/** Explains why a text stands in the place of another one. */
export interface Explanation {
  /** The name of the hypothesis. */
  readonly name: string
  readonly kind: Kind
  readonly says: Sentence
  readonly fix: Sentence
}

/** A change that happens to texts. It is tried on all terms of its kinds, alone and after another change. */
export type Transform = readonly [
  /** The end of the hypothesis' name, such as `case` in `sid-case`. */
  name: string,
  /** The interpretation: completes `perhaps …`. */
  says: Sentence,
  /** The instruction: a sentence. */
  fix: Sentence,
  /**
   * The texts that the change makes, or undoes, by the cost of the mistake: 2 removes decoration of a value, 3 is
   * everyday, 7 and more is exotic, 9 is for thousands of texts. Duplicates are ignored.
   */
  texts: Readonly<Record<number, (text: string) => Iterable<string>>>,
  /** Default: all kinds. */
  kinds?: readonly Kind[]
]

/** Returns a sentence about two texts. */
export const said = (sentence: Sentence, signed: string, sent: string, kind: Kind): string =>
  typeof sentence === 'string' ? sentence : sentence(signed, sent, kind)
