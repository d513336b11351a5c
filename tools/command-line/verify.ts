import type { Verification } from '../../src/scheme/verify.js'
import { parse, variantHelp, variantOf } from '../../src/command-line/arguments.js'
import type { Command, Io } from '../../src/command-line/command.js'
import { judge } from './judgement.js'
import type { Judgement } from './judgement.js'
import { json, marksOf, visible } from '../../src/command-line/output.js'
import { requestFrom, requestHelp, requestOptions, requiredSignature } from './request-input.js'
import { requiredToken, tokenHelp, tokenOptions } from './token-input.js'

/** What to look at, by what is wrong. */
function advice ({ part1, part2 }: Verification): string {
  if (part1) return 'check the token, the account number and, in variant A, the order id'
  if (part2) return 'check the sid: part 2 confirms the rest of part 1'
  return 'check the time stamp, the amount and the reference first: both parts contain them'
}

function conclusion (judgement: Judgement): string {
  const { valid, part1, part2, isComparable } = judgement
  if (valid) return 'The signature matches the request.\n'
  if (part1 && part2) return 'Apart from its form, the signature matches the request.\n'
  if (!isComparable) return 'The signature does not match the request.\n'
  return `The signature does not match the request: ${advice(judgement)}.\n` +
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

const options = {
  ...requestOptions, ...tokenOptions, signature: { type: 'string' }, json: { type: 'boolean' }
} as const

export const command: Command = {
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

  options,

  async run (args, io) {
    const { values, positionals } = parse(args, options, 1)
    const variant = variantOf(values, io)
    const signature = requiredSignature(values)
    const request = await requestFrom(values, positionals, io)
    const merchantToken = await requiredToken(values, io)
    const judgement = judge(signature, request, { variant, merchantToken })
    const { valid, part1, part2, ownToken, form, refusal } = judgement
    io.stdout.write(values.json
      ? json({ variant, valid, part1, part2, ownToken, form: form.map(({ finding }) => finding), refusal })
      : report(judgement, io))
    return valid
  }
}
