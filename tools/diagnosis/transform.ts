/** What a text is: what the names of its hypotheses begin with. `text` is all that is hashed. */
export type Kind = 'timestamp' | 'sid' | 'amount' | 'identifier' | 'account-number' | 'token' | 'text'

/** One thing that happens to texts: written once, and tried on every term of its kinds, alone and after another one. */
export type Transform = readonly [
  /** What follows the kind in the name of the hypothesis, such as `case` in `sid-case`. */
  name: string,
  /** Completes `amount was "100", not "100.00": …` and `The token was different: …`. */
  says: string,
  /** What to do about it: a sentence. */
  fix: string,
  /**
   * What may have become of a text, or what it may have been made from, by how rare the mistake is: 2 takes away what
   * only decorates a value, 3 is everyday, 8 exotic, 9 for thousands of texts. Doubles do no harm.
   */
  texts: Readonly<Record<number, (text: string) => Iterable<string>>>,
  /** All kinds, if not given. */
  kinds?: readonly Kind[]
]
