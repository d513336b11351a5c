import { readerOf, type Variant } from '../../src/scheme/variants.js'
import { remark, type Vector, type VectorOutcome } from './vectors.js'

/** Frequent mistakes of implementations, by the rule that finds them, in the words of `vectors/README.md`. */
const traps: ReadonlyArray<readonly [rules: RegExp, hint: string]> = [
  [/^4\.3 operationType/, 'the operation is compared without regard to case, but not trimmed; an unknown one is a purchase'],
  [/^4\.3 (refund|void)/, 'the order id is never filled in from transactionFCRN; when it is empty, part 2 has the text null'],
  [/^4\.3 inquiry/, 'an inquiry\'s order id is transactionId if idType is ORDER_ID, otherwise the text null; its own orderId is ignored'],
  [/^4\.3 purchase/, 'without an order id part 2 has the text null'],
  [/^4\.3 toOptional/, 'absent, null and exactly the texts "", undefined and null are empty; 0 and false are not'],
  [/^4\.4 no operation/, 'variant B ignores the operation, even void'],
  [/^4\.4 amount/, 'variant B empties an absent or null amount and the text undefined; the text null is hashed'],
  [/^4\.4 reference/, 'variant B\'s reference is the order id, empty when absent or null; there is no text null for it'],
  [/^4\.1 amount (number|not a string)/, 'a value other than a string becomes what JavaScript\'s String makes of it: 100.00 is 100, 1e21 is 1e+21'],
  [/^4\.1 amount text/, 'an amount is hashed as it was sent, even if it is not a number'],
  [/^4\.[12] account/, 'merchantAccountNumber wins over accountNumber if it is truthy; neither is normalized: the text null is an account number'],
  [/^4\.2 clientTimeStamp/, 'only an absent or null time stamp is missing; 0, "" and false are present, and the text null is itself'],
  [/^4\.2 merchantToken/, 'a truthy merchantToken of the request replaces the configured one, as text'],
  [/^4\.[34] sid/, 'the sid is hashed as it was sent: not trimmed, not lowercased'],
  [/^4\.2 nothing trimmed/, 'nothing is trimmed, in any field'],
  [/^4\.2 no Unicode/, 'text is not normalized: composed and decomposed characters differ'],
  [/^4\.2 lone surrogate/, 'half a surrogate pair is encoded as U+FFFD, after the terms are joined'],
  [/^4\.2 (UTF-8|control|long)/, 'the UTF-8 bytes of the text are hashed, whatever it contains'],
  [/^4\.2 no separator/, 'the terms are joined with nothing between them'],
  [/refused amount/, 'the leading decimal number of the amount must be above 0, in every operation; a text without one passes'],
  [/refused account/, 'absent, null, false, "" and the number 0 are no account number; one of the two fields must have one'],
  [/refused (sid|clientTimeStamp)/, 'an absent or null sid or time stamp and an empty sid are 400; any other sid that is not valid is 500'],
  [/first refusal/, 'amount, account number, sid and time stamp are checked in this order, then the terms are derived, then sid is validated'],
  [/no text/, 'an object with the key toString has no text: 500, even if the operation does not use the field'],
  [/^2\.1 unknown/, 'fields that the specification does not name are ignored']
]

/** Returns the probable mistake if a vector of `rule` fails; empty if no mistake is known. */
export function hintFor (rule: string): string {
  return traps.find(([rules]) => rules.test(rule))?.[1] ?? ''
}

const signatureForm = /^([0-9a-f]{64})\/\/\/([0-9a-f]{64})$/

/** A status and a message, as `400 sid is required (client-generated session ID)`. */
const refusalForm = /^[45]\d\d ./

/** Kinds of failures, the worst first. The report shows them in this order. */
export const failureKinds = {
  signed: 'signed another text',
  unanswered: 'without a valid answer',
  refused: 'refused, although they could be signed',
  otherRefusal: 'refused with another answer'
} as const

type FailureKind = keyof typeof failureKinds

/**
 * Describes an outcome that differs from the answer. `problem` is the reason for a missing signature. `expected` has
 * the text to hash for each part that differs, with `<merchantToken>` in place of the token, or the refusal.
 */
function failureOf (vector: Vector, outcome: VectorOutcome) {
  const { variant, rule, name, request, answer, isRefused } = vector
  const expected: { part1?: string, part2?: string, refusal?: string } = isRefused ? { refusal: answer } : {}
  const failure = { variant, rule, name, hint: hintFor(rule), expected }
  const as = (kind: FailureKind, problem = '') => ({ ...failure, kind, problem })
  if ('problem' in outcome) return as('unanswered', outcome.problem)

  const [, first, second] = signatureForm.exec(outcome.text) ?? []
  if (isRefused && first !== undefined) return as('signed', 'the request was signed')
  if (first === undefined) {
    const said = remark(outcome.text, vector)
    if (said === '') return as('unanswered', 'the output is empty')
    if (!refusalForm.test(said)) return as('unanswered', `not a signature: ${said}`)
    return isRefused ? as('otherRefusal', `another answer: ${said}`) : as('refused', `refused: ${said}`)
  }
  const reader = readerOf(variant)
  const { part1, part2 } = reader.preImagesOf(reader.read(request), '<merchantToken>')
  const [expectedFirst, expectedSecond] = answer.split('///')
  if (first !== expectedFirst) expected.part1 = part1.toWellFormed()
  if (second !== expectedSecond) expected.part2 = part2.toWellFormed()
  return as('signed')
}

/** Compares the outcomes, which are in the order of the vectors, with the answers. */
export function conformanceReport (vectors: readonly Vector[], outcomes: readonly VectorOutcome[]) {
  const rules = new Map<string, { variant: Variant, rule: string, passed: number, total: number }>()
  const failures: Array<ReturnType<typeof failureOf>> = []
  for (const [index, vector] of vectors.entries()) {
    const { variant, rule, answer } = vector
    const outcome = outcomes[index] as VectorOutcome
    const key = `${variant} ${rule}`
    const result = rules.get(key) ?? { variant, rule, passed: 0, total: 0 }
    rules.set(key, result)
    result.total += 1
    if ('text' in outcome && outcome.text === answer) result.passed += 1
    else failures.push(failureOf(vector, outcome))
  }
  const order = Object.keys(failureKinds)
  failures.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
  const kinds = { signed: 0, unanswered: 0, refused: 0, otherRefusal: 0 }
  for (const { kind } of failures) kinds[kind]++
  const { length: total } = vectors
  // If an implementation answers nothing, or no signature of several rules is right, no rule is the cause.
  const unsigned = failures.filter(({ expected }) => expected.refusal === undefined)
  const isAllWrong = rules.size > 1 && unsigned.length === vectors.filter(({ isRefused }) => !isRefused).length
  for (const failure of kinds.unanswered === total ? failures : isAllWrong ? unsigned : []) failure.hint = ''
  return { passed: total - failures.length, total, ...kinds, rules: [...rules.values()], failures }
}

export type ConformanceReport = ReturnType<typeof conformanceReport>
