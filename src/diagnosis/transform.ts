/** What a text is, by the term that it stands for; `whole` is all that is hashed. */
export type Kind = 'time' | 'sid' | 'amount' | 'identifier' | 'account' | 'token' | 'whole'

/**
 * One thing that happens to texts. Each is written once and tried on every term of its kinds, alone and after another
 * one.
 */
export interface Transform {
  /** What follows the field's in the name of the hypothesis, such as `case` in `sid-case`. */
  readonly name: string
  /**
   * How rare the mistake is: 3 is everyday, 8 exotic; 9 is for thousands of texts, which are made when nothing else is
   * found. Those of two mistakes are added up.
   */
  readonly cost: number
  /** All kinds, if not given. */
  readonly kinds?: readonly Kind[]
  /** What may have become of the text, or what it may have been made from. The text itself, and doubles, do no harm. */
  readonly texts: (text: string) => Iterable<string>
  /** Completes `amount was "100", not "100.00": …` and `The token was different: …`. */
  readonly says: string
  /** What to do about it: a sentence. */
  readonly fix: string
  /** Not combined with another one of the same term, since it has many texts or since that makes no sense. */
  readonly isAlone?: true
}
