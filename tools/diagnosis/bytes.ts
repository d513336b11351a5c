// Bytes are binary strings, as in atob and btoa: browsers run this file too, and have no Buffer.

/** Returns the bytes of a text in base64 or base64url. Returns undefined for other texts. */
export function fromBase64 (text: string): string | undefined {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/_-]{4,}$/.test(digits) || digits.length % 4 === 1) return undefined
  return atob(digits.replaceAll('-', '+').replaceAll('_', '/'))
}

const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a text. */
export const utf8 = (text: string): string => Array.from(encoder.encode(text), byte => String.fromCharCode(byte)).join('')

export const toHex = (bytes: string): string =>
  Array.from(bytes, byte => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')

export const fromHex = (digits: string): string =>
  digits.replace(/../g, pair => String.fromCharCode(Number.parseInt(pair, 16)))
