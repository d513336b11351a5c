// What the library uses of Node.js, as browsers have it: the pages' bundler puts this in its place.
import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import * as sha2 from '@noble/hashes/sha2.js'
import * as sha3 from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const algorithms = {
  md5,
  sha1,
  sha224: sha2.sha224,
  sha256: sha2.sha256,
  sha384: sha2.sha384,
  sha512: sha2.sha512,
  'sha512-224': sha2.sha512_224,
  'sha512-256': sha2.sha512_256,
  'sha3-224': sha3.sha3_224,
  'sha3-256': sha3.sha3_256,
  'sha3-384': sha3.sha3_384,
  'sha3-512': sha3.sha3_512,
  blake2s256: blake2s,
  blake2b512: blake2b
}

/** The names that Node.js has for hash functions. */
export type Algorithm = keyof typeof algorithms

export type Encoding = 'utf8' | 'latin1' | 'utf16le' | 'hex' | 'base64' | 'base64url'

const fromCodes = (codes: Iterable<number>): string => Array.from(codes, code => String.fromCharCode(code)).join('')

const codesOf = (text: string): number[] => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

const decoders: Readonly<Record<Encoding, (bytes: Uint8Array) => string>> = {
  utf8: bytes => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  latin1: fromCodes,
  utf16le: bytes => new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length & ~1)),
  hex: bytesToHex,
  base64: bytes => btoa(fromCodes(bytes)),
  base64url: bytes => btoa(fromCodes(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const fromBase64 = (text: string): Iterable<number> =>
  codesOf(atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')))

const encoders: Readonly<Record<Encoding, (text: string) => Iterable<number>>> = {
  utf8: utf8ToBytes,
  latin1: codesOf,
  utf16le: text => codesOf(text).flatMap(code => [code & 255, code >> 8]),
  hex: text => (text.match(/../g) ?? []).map(digits => Number.parseInt(digits, 16)),
  base64: fromBase64,
  base64url: fromBase64
}

class Bytes extends Uint8Array {
  override toString (encoding: Encoding = 'utf8'): string {
    return decoders[encoding](this)
  }
}

export const Buffer = {
  from: (text: string, encoding: Encoding = 'utf8'): Bytes => new Bytes(encoders[encoding](text))
}

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? utf8ToBytes(data) : data

export function hash (algorithm: Algorithm, data: string | Uint8Array, encoding: Encoding): string {
  return decoders[encoding](algorithms[algorithm](bytesOf(data)))
}

export function createHmac (algorithm: Algorithm, key: string) {
  const state = hmac.create(algorithms[algorithm], bytesOf(key))
  return {
    update (data: string | Uint8Array) {
      state.update(bytesOf(data))
      return this
    },
    digest: (encoding: Encoding): string => decoders[encoding](state.digest())
  }
}

/** Whoever could measure the time sees what is compared anyway. */
export function timingSafeEqual (one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, index) => byte === other[index])
}

/** Only the fields of two requests are compared, and here there is one. */
export const isDeepStrictEqual = Object.is
