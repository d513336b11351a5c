import { compare, type Comparison, type Scheme } from '../../src/scheme/verify.js'
import type { SignatureRequest } from '../../src/scheme/request.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json, visible } from '../../src/text/characters.js'
import type { Change } from '../diagnosis/diagnosis.js'
import { parseSignature, plainForm } from '../diagnosis/parse-signature.js'
import { marksOf } from './report-text.js'
import { inputFrom, inputOptions, requestHelp } from './request-input.js'
import { requiredToken, tokenHelp, variantHelp, withValue } from './scheme-input.js'

/** Result of the command. */
interface Judgement extends Comparison {
  /** Mistakes in the form of the signature. */
  readonly form: ReadonlyArray<Pick<Change, 'finding' | 'fix'>>
  /** True if the signature has two digests of SHA-256. Only then does the part that differs point to a mistake. */
  readonly isComparable: boolean
}

/** Verifies the digests of a signature, also in a wrong notation. */
function judge (signature: string, request: SignatureRequest, scheme: Scheme): Judgement {
  const asGiven = compare(signature, request, scheme)
  const parsed = parseSignature(signature)
  if (typeof parsed === 'string') return { ...asGiven, form: [{ finding: parsed, fix: plainForm }], isComparable: false }

  const readings = parsed.assignments.map(({ part1 = '', part2 = '', changes }) =>
    ({ ...compare(`${part1}///${part2}`, request, scheme), changes }))
  const isHalf = parsed.assignments.some(({ part2 }) => part2 === undefined)
  const half = isHalf ? [{ finding: 'Only one of the two parts was given.', fix: plainForm }] : []
  const { changes, ...result } = readings.find(({ part1, part2 }) => part1 || part2) ?? { ...asGiven, changes: half }
  const bits = parsed.digits * 4
  const length = bits === 256 ? [] : [{ finding: `The digests have ${bits} bits, not 256.`, fix: 'Use SHA-256.' }]
  return {
    ...result,
    valid: asGiven.valid,
    form: [...parsed.changes, ...length, ...changes],
    isComparable: bits === 256 && !isHalf
  }
}

function conclusion ({ valid, part1, part2, isComparable }: Judgement): string {
  if (valid) return 'The signature matches the request.\n'
  if (part1 && part2) return 'Apart from its form, the signature matches the request.\n'
  if (!isComparable) return 'The signature does not match the request.\n'
  let advice = 'check the time stamp, the amount and the reference first: both parts contain them'
  if (part1) advice = 'check the token, the account number and, in variant A, the order id'
  if (part2) advice = 'check the sid: part 2 confirms the rest of part 1'
  return `The signature does not match the request: ${advice}.\n` +
    'To find the mistake, run payment-signature diagnose with the same arguments.\n'
}

function report (judgement: Judgement, io: Io): string {
  const { part1, part2, ownToken, form, refusal } = judgement
  const { ok, warning, failed } = marksOf(io)
  const line = (name: string, isRight: boolean): string =>
    isRight ? `${ok} ${name} matches\n` : `${failed} ${name} differs\n`
  if (refusal !== '') return `${failed} the request cannot be signed: ${visible(refusal)}\n`
  const fixes = new Set(form.map(({ fix }) => fix))
  return (ownToken ? `${warning} the request has its own merchantToken, which is not used here\n` : '') +
    form.map(({ finding }) => `${failed} ${visible(finding)}\n`).join('') +
    [...fixes].map(fix => `  → ${fix}\n`).join('') +
    line('part 1', part1) + line('part 2', part2) + conclusion(judgement)
}

export const command = commandOf({
  help: `Usage: payment-signature verify --signature SIGNATURE [options] [-]

Checks a signature against a request: its form, and each part by itself.

${requestHelp}
${tokenHelp}
Options
  --signature SIGNATURE       the signature to check: part1///part2
${variantHelp}  --json                      { "variant", "valid", "part1", "part2", "ownToken", "form": ["…"], "refusal" }

Exit code: 0 it matches, 1 it does not, 2 wrong usage

Example
  payment-signature verify --request request.json --token-file ./token --signature 8e55f6…///21a07e…
`,

  options: { ...inputOptions, ...withValue('signature') },
  maxPositionals: 1,

  async run (args, io) {
    const { values: { signature, json: isJson } } = args
    if (signature === undefined) throw new CommandError('missing --signature SIGNATURE')
    const { request, variant, merchantToken } = await inputFrom(args, io, () => requiredToken(args.values, io))
    const judgement = judge(signature, request, { variant, merchantToken })
    const { valid, part1, part2, ownToken, form, refusal } = judgement
    io.stdout.write(isJson
      ? json({ variant, valid, part1, part2, ownToken, form: form.map(({ finding }) => finding), refusal })
      : report(judgement, io))
    return valid
  }
})
