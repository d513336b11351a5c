import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import type { Variant } from '../../src/scheme/variants.js'

/** Error for an implementation that cannot be run or reached, or that does not keep to the protocol. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
}

/** A request with its signature. `vectors/README.md` documents the format. */
export interface Vector {
  readonly variant: Variant
  readonly name: string
  readonly rule: string
  /** The configured token. All tokens of the vectors are public. */
  readonly token: string
  readonly request: SignatureRequest
  /** The request in one line, with the numbers as the file has them: JSON.stringify would make `100` of `100.00`. */
  readonly requestText: string
  readonly signature: string
}

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

// JSON strings have no line ends, and nested objects are indented further.
const requests = /^ {6}"request": (\{.*?^ {6}\})/gms

/** Returns all vectors of a variant, in the order of the file. */
export function loadVectors (variant: Variant): Vector[] {
  const text = readFileSync(new URL(`../../../vectors/variant-${variant.toLowerCase()}.json`, import.meta.url), 'utf8')
  const texts = [...text.matchAll(requests)].map(([, request = '']) => request.replace(/\n */g, ''))
  return (JSON.parse(text).vectors as Vector[]).map(({ name, rule, token, request, signature }, index) =>
    ({ variant, name, rule, token, request, requestText: texts[index] as string, signature }))
}
