import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'

/** Error for an implementation that cannot be run or reached, or that does not keep to the protocol. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
}

/** A request with the required answer. `vectors/README.md` documents the format. */
export interface Vector {
  readonly variant: Variant
  readonly name: string
  readonly rule: string
  /** The configured token. All tokens of the vectors are public. */
  readonly token: string
  readonly request: SignatureRequest
  /** The request in one line, with the numbers as in the file: JSON.stringify would change `100.00` to `100`. */
  readonly requestText: string
  /** The signature; or the status and the message of a refusal, such as `400 sid is required (…)`. */
  readonly answer: string
  /** True if the specification refuses the request. */
  readonly isRefused: boolean
}

/** A vector as it is stored. A refusal has `status` and `error` instead of the signature. */
type StoredVector = Omit<Vector, 'variant'> & { signature: string, status?: number, error?: string }

/** Output of an implementation for a vector, or the reason for which there is none. */
export type VectorOutcome = { readonly text: string } | { readonly problem: string }

/** Returns the first line of an output for a report, at most 200 characters, with the token masked. */
export function remark (text: string, { token }: Vector): string {
  const [line = ''] = text.trim().split(/\r?\n/)
  return line.replaceAll(token, '<merchantToken>').slice(0, 200)
}

/** Runs `work` for each item, at most `concurrency` at a time. The results are in the order of the items. */
export const inParallel = <Item, Result>(
  items: readonly Item[], concurrency: number, work: (item: Item) => Promise<Result>
): Promise<Result[]> => Readable.from(items).map(work, { concurrency }).toArray()

// JSON strings contain no newlines, and nested objects are indented further.
const requests = /^ {6}"request": (\{.*?^ {6}\})/gms

function readVectors (name: string): Vector[] {
  const file = readFileSync(new URL(`../../../vectors/${name}.json`, import.meta.url), 'utf8')
  const texts = [...file.matchAll(requests)].map(([, request = '']) => request.replace(/\n */g, ''))
  const { variant, vectors }: { variant: Variant, vectors: StoredVector[] } = JSON.parse(file)
  return vectors.map(({ signature, status, error, ...vector }, index) => ({
    variant,
    ...vector,
    requestText: texts[index] as string,
    answer: status === undefined ? signature : `${status} ${error}`,
    isRefused: status !== undefined
  }))
}

/** Returns all vectors of some variants. Refusals are last: a program that does not know them may end there. */
export function loadVectors (variants: readonly Variant[]): Vector[] {
  const all = [
    ...variants.flatMap(variant => readVectors(`variant-${variant.toLowerCase()}`)),
    ...readVectors('lone-surrogates'),
    ...readVectors('refusals')
  ]
  return all.filter(({ variant }) => variants.includes(variant))
}
