import type { Kind } from '../context.js'

/** A sentence, or a function that returns it for the signed and the sent text. A sentence never contains a token. */
export type Sentence = string | ((signed: string, sent: string, kind: Kind) => string)

/** Explanation why another text was signed. */
export interface Explanation {
  /** The name of the hypothesis. */
  readonly name: string
  readonly kind: Kind
  readonly says: Sentence
  readonly fix: Sentence
}

/** Returns a sentence about two texts. */
export const said = (sentence: Sentence, signed: string, sent: string, kind: Kind): string =>
  typeof sentence === 'string' ? sentence : sentence(signed, sent, kind)

/** A mistake in the text of one term. The search tries it on all terms of its kinds, alone and after another one. */
export type Mistake = readonly [
  /** The end of the hypothesis' name, such as `case` in `sid-case`. */
  name: string,
  /** The interpretation: completes `perhaps …`. */
  says: Sentence,
  /** The instruction: a sentence. */
  fix: Sentence,
  /**
   * Returns the texts that the mistake makes or reverses, by its cost. 2: decoration is removed; 3: common; 7 and 8:
   * rare; 9: thousands of texts, which are not combined with another change. Duplicates are ignored.
   */
  texts: Readonly<Record<number, (text: string) => Iterable<string>>>,
  /** Default: all kinds. */
  kinds?: readonly Kind[]
]
