// Replaces the modules of Node.js that the library imports. The bundler of the pages substitutes this file.
import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import * as sha2 from '@noble/hashes/sha2.js'
import * as sha3 from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

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

/** Name of a hash function in Node.js. */
export type Algorithm = keyof typeof algorithms

export const getHashes = (): string[] => Object.keys(algorithms)

const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? utf8ToBytes(data) : data

/** Returns hexadecimal digits. The library uses no other encoding. */
export const hash = (algorithm: Algorithm, data: string | Uint8Array): string =>
  bytesToHex(algorithms[algorithm](bytesOf(data)))

export function createHmac (algorithm: Algorithm, key: string) {
  const state = hmac.create(algorithms[algorithm], bytesOf(key))
  return {
    update (data: string | Uint8Array) {
      state.update(bytesOf(data))
      return this
    },
    digest: (): string => bytesToHex(state.digest())
  }
}

class Bytes extends Uint8Array {
  override toString (encoding: 'utf8' | 'hex' = 'utf8'): string {
    return encoding === 'hex' ? bytesToHex(this) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(this)
  }
}

export const Buffer = {
  from: (text: string, encoding: 'utf8' | 'hex' = 'utf8'): Bytes =>
    new Bytes(encoding === 'hex' ? hexToBytes(text) : utf8ToBytes(text))
}

/** Not constant-time: only the user of the page could measure the time. */
export function timingSafeEqual (one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, index) => byte === other[index])
}
