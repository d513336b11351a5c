import { createHmac } from 'node:crypto'

/** Key of the HMAC. Every change of the computation needs a new version in this text. */
const label = 'payment-signature-backend key check value v1'

/**
 * Returns a fingerprint of the token, for the comparison of deployments: the first 24 bits of HMAC-SHA256 with a fixed
 * label as the key and the token's UTF-8 bytes as the message, as 6 lowercase hexadecimal digits.
 *
 * The label is the key, as in HKDF's extraction (RFC 5869, section 2.2). With the token as the key, a trailing zero
 * byte would make no difference, and a computation by hand would put the token on a command line.
 *
 * @example
 * keyCheckValue('development-only-token') // '63e1e6'
 */
export function keyCheckValue (token: string): string {
  return createHmac('sha256', label).update(token).digest('hex').slice(0, 6)
}
