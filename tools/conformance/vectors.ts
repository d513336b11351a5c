import { readFileSync } from 'node:fs'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import type { Variant } from '../../src/scheme/variants.js'

/** A request with its signature; `vectors/README.md` has the format of the files. */
export interface Vector {
  readonly variant: Variant
  readonly name: string
  readonly rule: string
  /** The configured token. It is public: all tokens of the vectors are. */
  readonly token: string
  readonly request: SignatureRequest
  /** The request as it stands in the file, in one line: parsed and written again, `100.00` would become `100`. */
  readonly requestText: string
  readonly signature: string
}

// JSON strings have no line ends, and what is nested is indented further.
const requests = /^ {6}"request": (\{.*?^ {6}\})/gms

/** All vectors of a variant, in the order of their file. */
export function loadVectors (variant: Variant): Vector[] {
  const text = readFileSync(new URL(`../../../vectors/variant-${variant.toLowerCase()}.json`, import.meta.url), 'utf8')
  const texts = [...text.matchAll(requests)].map(([, request = '']) => request.replace(/\n */g, ''))
  return (JSON.parse(text).vectors as Vector[]).map(({ name, rule, token, request, signature }, index) =>
    ({ variant, name, rule, token, request, requestText: texts[index] as string, signature }))
}
