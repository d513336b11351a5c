import type { Change } from '../diagnosis/diagnosis.js'
import { parseSignature } from '../diagnosis/parse-signature.js'
import { plainForm } from '../diagnosis/wrappings.js'
import type { SignatureRequest } from '../../src/scheme/fields.js'
import { verify } from '../../src/scheme/verify.js'
import type { Scheme, Verification } from '../../src/scheme/verify.js'

/** What a signature comes to without what is wrong with the way it is written. */
export interface Judgement extends Verification {
  /** What is wrong with that, and what to do about it, in sentences. */
  readonly form: ReadonlyArray<Pick<Change, 'finding' | 'fix'>>
  /** Whether there are two digests of SHA-256, so that which one differs says something about the request. */
  readonly isComparable: boolean
}

/** Looks at the digests in a signature, however it is written. */
export function judge (signature: string, request: SignatureRequest, scheme: Scheme): Judgement {
  const asGiven = verify(signature, request, scheme)
  const parsed = parseSignature(signature)
  if (typeof parsed === 'string') return { ...asGiven, form: [{ finding: parsed, fix: plainForm }], isComparable: false }

  const readings = parsed.assignments.map(({ part1 = '', part2 = '', changes }) =>
    ({ ...verify(`${part1}///${part2}`, request, scheme), changes }))
  const matching = readings.find(({ part1, part2 }) => part1 || part2)
  const isHalf = parsed.assignments.some(({ part2 }) => part2 === undefined)
  const half = isHalf ? [{ finding: 'Only one of the two parts was given.', fix: plainForm }] : []
  const { changes, ...result } = matching ?? { ...asGiven, changes: half }
  const bits = parsed.digits * 4
  const length = bits === 256 ? [] : [{ finding: `The digests have ${bits} bits, not 256.`, fix: 'Use SHA-256.' }]
  return {
    ...result,
    valid: asGiven.valid,
    form: [...parsed.changes, ...length, ...changes],
    isComparable: bits === 256 && !isHalf
  }
}
