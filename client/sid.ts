import { SignatureError } from './signature-error.js'

/**
 * Returns a new session id: a UUID version 4, which both variants accept.
 *
 * @throws SignatureError `argument`: the platform has no random numbers, as React Native
 */
export function newSid (): string {
  const crypto = globalThis.crypto as Partial<typeof globalThis.crypto> | undefined
  // Pages served over plain HTTP have no randomUUID.
  if (crypto?.randomUUID) return crypto.randomUUID()
  if (!crypto?.getRandomValues) {
    throw new SignatureError('argument', 'crypto.getRandomValues is missing: load a polyfill')
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'.charAt(bytes[8]! >> 4 & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
