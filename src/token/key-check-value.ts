import { createHmac } from 'node:crypto'

/** Another version of this text gives other values: it has to change with anything else in here. */
const label = 'payment-signature-backend key check value v1'

/**
 * A fingerprint of the token, to compare two deployments by: the first 24 bits of HMAC-SHA256 with a fixed label as the
 * key and the token's UTF-8 bytes as the message, as 6 lowercase hexadecimal digits.
 *
 * The label is the key and not the token, as in HKDF's extraction (RFC 5869, section 2.2): keyed with the token, a zero
 * byte at its end would make no difference, and computing it by hand would put the token on a command line.
 *
 * @example
 * keyCheckValue('development-only-token') // '63e1e6'
 */
export function keyCheckValue (token: string): string {
  return createHmac('sha256', label).update(token).digest('hex').slice(0, 6)
}
