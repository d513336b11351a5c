import { hash } from 'node:crypto'

/** The terms that are joined and hashed, without the merchant token (specification 4.2, the table of terms). */
export interface Terms {
  readonly clientTimeStamp: string
  readonly sid: string
  readonly amount: string
  readonly referenceNumber: string
  /** Empty in variants without an order term. */
  readonly orderIdOrNull: string
  readonly accountNumber: string
}

/** The name of a term. The merchant token is a term too. */
export type TermName = keyof Terms | 'merchantToken'

/** The terms of both parts in the order in which they are joined, with nothing between them (specification 4.2). */
export interface Parts {
  readonly part1: readonly TermName[]
  readonly part2: readonly TermName[]
}

/** The two texts that are hashed. The second contains the merchant token: never log it or send it anywhere. */
export type PreImages = Readonly<Record<keyof Parts, string>>

/** Returns the texts of the terms, with nothing between them. */
export function join (names: readonly TermName[], terms: Terms, merchantToken: string): string {
  let text = ''
  for (const name of names) text += name === 'merchantToken' ? merchantToken : terms[name]
  return text
}

/**
 * Returns the SHA-256 of the UTF-8 bytes of `text` as 64 lowercase hexadecimal digits (specification 4.2).
 * A lone surrogate is hashed as U+FFFD.
 */
export function hash256 (text: string): string {
  return hash('sha256', text, 'hex')
}

/** Returns `<part1>///<part2>`, each part the digest of its pre-image (specification 2.2 and 4.2). */
export function signatureOf ({ part1, part2 }: PreImages): string {
  return `${hash256(part1)}///${hash256(part2)}`
}
