import { hash } from 'node:crypto'
import type { PreImages } from './pre-images.js'

/**
 * SHA-256 of the UTF-8 bytes of `text`, as 64 lowercase hexadecimal digits (specification 4.2).
 * A lone surrogate is hashed as U+FFFD.
 */
export function hash256 (text: string): string {
  return hash('sha256', text, 'hex')
}

/** `<part1>///<part2>`, each part the digest of its pre-image (specification 2.2 and 4.2). */
export function signatureOf ({ part1, part2 }: PreImages): string {
  return `${hash256(part1)}///${hash256(part2)}`
}
