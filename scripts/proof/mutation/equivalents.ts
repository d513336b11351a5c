/** A mutant that no test can kill, because the program behaves the same. */
interface Equivalent {
  /** Compiled file. */
  file: string
  /** The compiled line, trimmed. */
  line: string
  original: string
  replacement: string
  reason: string
}

export const equivalents: Equivalent[] = []
