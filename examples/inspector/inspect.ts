import { preImagesOf } from '../../src/scheme/pre-images.js'
import { readRequest } from '../../src/scheme/reading.js'
import type { Reading } from '../../src/scheme/reading.js'
import type { SignatureRequest, Variant } from '../../src/scheme/request.js'
import { assertRequest } from '../../src/scheme/usage.js'
import { guesses } from './guesses.js'
import type { Part1 } from './guesses.js'

export interface Inspection {
  /** The request's own terms. */
  terms: Part1
  /** The terms that part 1 was made from; undefined if no guess gives it. */
  signed: Part1 | undefined
  /** Part 1 as it is for the request, 64 hexadecimal digits. */
  expected: string
  /** Part 1 of the signature. */
  given: string
}

/** SHA-256 of the UTF-8 bytes, as 64 lowercase hexadecimal digits. */
async function hash256 (text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

function parseRequest (text: string): SignatureRequest {
  try {
    const request: unknown = JSON.parse(text)
    assertRequest(request)
    return request
  } catch (error) {
    throw new Error(`The request cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Compares part 1 of a signature with what it should be for a request. The library's own code derives the terms.
 *
 * @param requestText - the JSON body
 * @param signatureText - the signature, or the JSON that has it
 * @throws with a message for the user: one of them cannot be read, or the service refuses the request
 */
export async function inspect (variant: Variant, requestText: string, signatureText: string): Promise<Inspection> {
  if (crypto.subtle === undefined) throw new Error('Browsers offer SHA-256 only over HTTPS and on localhost: open the page there')
  const request = parseRequest(requestText)
  const [, given] = /(?:^|[^0-9a-f])([0-9a-f]{64})\/\/\/[0-9a-f]{64}(?![0-9a-f])/.exec(signatureText) ?? []
  if (given === undefined) {
    throw new Error('This is not a signature: it must be 64 lowercase hexadecimal digits, /// and 64 more')
  }
  let reading: Reading
  try {
    reading = readRequest(variant, request)
  } catch (error) {
    throw new Error(`The service refuses this request: ${(error as Error).message}`, { cause: error })
  }

  const [terms, ...others] = guesses(request, reading) as [Part1, ...Part1[]]
  const digestOf = (part1: Part1) => hash256(preImagesOf({ ...reading, ...part1 }, '').part1)
  const expected = await digestOf(terms)
  if (expected === given) return { terms, signed: terms, expected, given }
  for (const guess of others) {
    if (await digestOf(guess) === given) return { terms, signed: guess, expected, given }
  }
  return { terms, signed: undefined, expected, given }
}
