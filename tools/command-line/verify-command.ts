import { compare, type Comparison, type Scheme } from '../../src/scheme/verify.js'
import type { SignatureRequest } from '../../src/scheme/request.js'
import { readerOf } from '../../src/scheme/variants.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json, visible } from '../../src/text/characters.js'
import type { Change } from '../diagnosis/diagnosis.js'
import { afterMatch } from '../diagnosis/matched.js'
import { parseSignature, plainForm } from '../diagnosis/parse-signature.js'
import { warningsOf } from '../explain/warnings.js'
import type { RequestFields } from '../request-text/request-text.js'
import { marksOf } from './report-text.js'
import { inputOptions, requestHelp, signedRequestsFrom } from './request-input.js'
import { requiredToken, schemeFor, tokenHelp, variantHelp, variantOf, withValue } from './scheme-input.js'
import { programName } from '../../src/text/program.js'

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

/** Returns what differs in the request that was sent later, and what else to check, if the signature matches. */
function lookAfter ({ valid }: Judgement, request: SignatureRequest, scheme: Scheme, otherRequest?: RequestFields) {
  if (!valid) return { differences: [], hints: [] }
  const found = warningsOf(readerOf(scheme.variant).read(request), request)
  const { differences, warnings, next } = afterMatch(request, found, { ...scheme, otherRequest })
  return { differences: differences.map(({ finding }) => finding), hints: [...warnings, ...next] }
}

type After = ReturnType<typeof lookAfter>

function conclusion ({ valid, part1, part2, isComparable }: Judgement, { differences, hints }: After, io: Io): string {
  const seek = `To find the mistake, run ${programName(io.env)} diagnose with the same arguments.\n`
  if (valid && differences.length > 0) return `The signature matches the request, and not the other request.\n${seek}`
  if (valid) return `The signature matches the request.\n\n${hints.map(hint => `${visible(hint)}\n`).join('')}`
  if (part1 && part2) return 'Apart from its form, the signature matches the request.\n'
  if (!isComparable) return `The signature does not match the request.\n${seek}`
  let advice = 'check the time stamp, the amount and the reference first: both parts contain them'
  if (part1) advice = 'check the token, the account number and, in variant A, the order id'
  if (part2) advice = 'check the sid: part 2 confirms the rest of part 1'
  return `The signature does not match the request: ${advice}.\n${seek}`
}

function report (judgement: Judgement, after: After, io: Io): string {
  const { part1, part2, ownToken, form, refusal } = judgement
  const { ok, warning, failed } = marksOf(io)
  const line = (name: string, isRight: boolean): string =>
    isRight ? `${ok} ${name} matches\n` : `${failed} ${name} differs\n`
  if (refusal !== '') return `${failed} the request cannot be signed: ${visible(refusal)}\n`
  const fixes = new Set(form.map(({ fix }) => fix))
  return (ownToken ? `${warning} the request has its own merchantToken, which is not used here\n` : '') +
    form.map(({ finding }) => `${failed} ${visible(finding)}\n`).join('') +
    [...fixes].map(fix => `  → ${fix}\n`).join('') +
    line('part 1', part1) + line('part 2', part2) +
    after.differences.map(finding => `${failed} ${visible(finding)}\n`).join('') + conclusion(judgement, after, io)
}

export const command = commandOf({
  help: `Usage: payment-signature verify [--signature SIGNATURE] [options] [-]

Checks a signature against a request: its form, and each part by itself. Without --signature, the file contains one
request with its signature, such as a line of a log, or a HAR of a browser with the payment: then both calls are
compared.

${requestHelp}
${tokenHelp}
Options
  --signature SIGNATURE       the signature to check: part1///part2
${variantHelp}  --json                      { "variant", "valid", "part1", "part2", "ownToken", "form": ["…"], "refusal",
                              "differences": ["…"], "hints": ["…"] }

Exit code: 0 it matches, 1 it does not, or the payment was sent with other values, 2 wrong usage

Example
  payment-signature verify --request request.json --token-file ./token --signature 8e55f6…///21a07e…
`,

  options: { ...inputOptions, ...withValue('signature') },
  maxPositionals: 1,

  async run ({ values, positionals }, io) {
    const given = variantOf(values, io)
    const [first, ...others] = await signedRequestsFrom(values, positionals, io)
    if (others.length > 0) {
      throw new CommandError(`the file has ${others.length + 1} requests with signatures: ` +
        `pass one, or run ${programName(io.env)} diagnose`)
    }
    const { request, signatures, otherRequest } = first!
    const scheme = await schemeFor(given, values, io, request, () => requiredToken(values, io))
    const judgements = signatures.map(signature => judge(signature, request, scheme))
    const judgement = judgements.find(({ valid }) => !valid) ?? judgements[0]!
    const after = lookAfter(judgement, request, scheme, otherRequest)
    const { valid, part1, part2, ownToken, refusal } = judgement
    const form = judgement.form.map(({ finding }) => finding)
    io.stdout.write(values.json
      ? json({ variant: scheme.variant, valid, part1, part2, ownToken, form, refusal, ...after })
      : report(judgement, after, io))
    return valid && after.differences.length === 0
  }
})
