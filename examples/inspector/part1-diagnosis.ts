import { diagnose } from '../../tools/diagnosis/diagnose.js'
import type { Cause, PartFinding } from '../../tools/diagnosis/diagnosis.js'
import type { SignatureRequest } from '../../src/scheme/request.js'
import type { Variant } from '../../src/scheme/variants.js'

export interface Part1Diagnosis {
  readonly finding: PartFinding
  /** Causes of part 1 or of the form of the signature, the likeliest first. */
  readonly causes: readonly Cause[]
  /** Further findings, each a sentence. */
  readonly hints: readonly string[]
}

/** Maximum number of hashed texts. The search blocks the page for about a second. */
const maxTries = 100_000

/** Searches part 1, which contains no token. A token in the request is not used. */
export function diagnosePart1 (signature: string, request: SignatureRequest, variant: Variant): Part1Diagnosis {
  const withoutToken = { ...request, merchantToken: undefined }
  const { part1, causes, hints, complete } = diagnose(signature, withoutToken, { variant, maxTries })
  const more = complete ? [] : [`${maxTries} texts were tried here. payment-signature diagnose, on the command line, tries 13 times as many.`]
  return { finding: part1, causes, hints: [...hints, ...more] }
}
