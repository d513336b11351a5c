import { ConformanceError } from '../conformance/answer.js'
import { answersOfBatch, answersOfCommand } from '../conformance/command.js'
import { answersOfEndpoint, isCovered } from '../conformance/endpoint.js'
import { conformanceReport } from '../conformance/report.js'
import type { ConformanceReport, Failure } from '../conformance/report.js'
import { loadVectors } from '../conformance/vectors.js'
import type { Vector } from '../conformance/vectors.js'
import { developmentToken } from '../token/development-token.js'
import type { Variant } from '../scheme/variant.js'
import { parse } from './arguments.js'
import { CommandError } from './command-error.js'
import { exitCodes } from './command.js'
import type { Command, Io } from './command.js'
import { json, painter, quoted, table, visible } from './output.js'
import { tokenFrom, tokenOptions, variantOf } from './token-input.js'

const options = {
  ...tokenOptions, batch: { type: 'boolean' }, rule: { type: 'string', multiple: true }, json: { type: 'boolean' }
} as const

/** How long a process may take that signs one request, and one that signs them all, in milliseconds. */
const timeouts = { one: 10_000, all: 60_000 }

/** How many failures are shown in full. */
const shown = 10

function variantsOf (variant: string | undefined): Variant[] {
  switch (variant?.toLowerCase()) {
    case undefined: case 'both': return ['A', 'B']
    case 'a': return ['A']
    case 'b': return ['B']
    default: throw new CommandError('--variant must be A, B or both')
  }
}

/** The vectors whose rule has one of some texts in it. */
function vectorsOf (variants: readonly Variant[], texts: readonly string[] = []): Vector[] {
  const all = variants.flatMap(loadVectors)
  if (texts.length === 0) return all
  const some = all.filter(({ rule }) => texts.some(text => rule.toLowerCase().includes(text.toLowerCase())))
  if (some.length > 0) return some
  throw new CommandError(`no rule has that in it; there are: ${[...new Set(all.map(({ rule }) => rule))].join(', ')}`)
}

/** A service's endpoint: the URL, or the specification's path where it has none. */
function endpointOf (text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError('give an http or https URL, or a command after --: payment-signature conformance -- COMMAND')
  }
  if (url.username !== '' || url.password !== '') throw new CommandError('the URL must have no user and no password')
  if (url.pathname === '/') url.pathname = '/api/generate-signature'
  return url.href
}

/** How many of some vectors have each token. */
function tokensOf (vectors: readonly Vector[]): Array<{ token: string, count: number }> {
  const counts = new Map<string, number>()
  for (const { token } of vectors) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].map(([token, count]) => ({ token, count }))
}

/** Long texts are among the vectors. */
function excerpt (text: string): string {
  return text.length <= 300 ? quoted(text) : `${quoted(text.slice(0, 150))} … ${quoted(text.slice(-100))}`
}

function failureText ({ variant, rule, name, problem, expected, hint }: Failure, io: Io): string {
  const { part1, part2 } = expected
  const lines = [`${painter(io)('red', '✗')} ${variant}, ${rule}: ${visible(name)}`]
  if (problem !== '') lines.push(`    ${visible(problem)}`)
  if (part1 !== undefined) lines.push(`    part 1 differs; what has to be hashed is ${excerpt(part1)}`)
  if (part2 !== undefined) lines.push(`    part 2 differs; what has to be hashed is ${excerpt(part2)}`)
  if (hint !== '') lines.push(`    a known trap: ${hint}`)
  return lines.map(line => `${line}\n`).join('')
}

function reportText (report: ConformanceReport, leftOut: readonly Vector[], io: Io): string {
  const { passed, total, rules, failures } = report
  const paint = painter(io)
  const rows = rules.map(({ variant, rule, passed, total }) =>
    [paint(passed === total ? 'green' : 'red', passed === total ? '✓' : '✗'), variant, rule, `${passed}/${total}`])
  let text = `${table(rows)}\n`
  for (const failure of failures.slice(0, shown)) text += failureText(failure, io)
  if (failures.length > shown) text += `and ${failures.length - shown} more, which --json has\n`
  if (failures.length > 0) text += '\n'
  text += `${passed} of ${total} vectors passed\n`
  if (leftOut.length === 0) return text
  const tokens = tokensOf(leftOut).map(({ token, count }) => `${quoted(token)} (${count})`)
  return text + `${leftOut.length} were left out, since they need another token. To cover them, run the service and ` +
    `this command with each of these as MERCHANT_TOKEN: ${tokens.join(', ')}\n`
}

/** @throws CommandError what a ConformanceError says */
async function conforming<Result> (work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ConformanceError ? new CommandError(error.message) : error
  }
}

export const command: Command = {
  help: `Usage: payment-signature conformance [options] -- COMMAND [ARGUMENT…]
       payment-signature conformance [options] URL

Checks another implementation against the known answers, rule by rule of the specification. docs/conformance.md has
the protocol, with clients to begin with.

COMMAND is run once for each known answer: it reads a request as JSON on standard input, finds the token in
MERCHANT_TOKEN and the scheme in VARIANT (A or B), prints the signature, and exits with 0.
URL is a signing endpoint, or a service's root; it gets the requests that need no other token than its own.

Options
  --batch                     run COMMAND once: { "variant", "token", "request" } in each line of its input, a
                              signature in each line of its output
  --variant A|B|both          the scheme; for a command both if not given, for a URL VARIANT, or else A
  --rule TEXT                 only rules with this text, in any case; may be given several times
  --token-file FILE           the token of the service at URL; MERCHANT_TOKEN if not given, or else
                              ${developmentToken}, which most known answers have
  --json                      { "passed", "total", "rules", "failures", "leftOut" }

Exit code: 0 all passed, 1 some failed, 2 usage, or the command or the URL cannot be tried

Examples
  payment-signature conformance -- php sign.php
  payment-signature conformance --rule refund --variant A --batch -- python3 sign.py --batch
  payment-signature conformance http://localhost:3001
`,

  async run (args, io) {
    const end = args.includes('--') ? args.indexOf('--') : args.length
    const [program, ...programArgs] = args.slice(end + 1)
    const { values, positionals: [url] } = parse(args.slice(0, end), options, 1)
    if ((program === undefined) === (url === undefined)) {
      throw new CommandError('give either a URL, or a command after --: payment-signature conformance -- COMMAND')
    }

    let vectors: Vector[]
    let leftOut: Vector[] = []
    let answers
    if (program !== undefined) {
      vectors = vectorsOf(variantsOf(values.variant), values.rule)
      const timeout = values.batch ? timeouts.all : timeouts.one
      const command = { program, args: programArgs, env: io.env, timeout }
      answers = await conforming((values.batch ? answersOfBatch : answersOfCommand)(command, vectors))
    } else {
      if (values.batch) throw new CommandError('--batch is for a command; a URL is sent one request at a time')
      if (values.variant === 'both') throw new CommandError('a service signs with one scheme: --variant must be A or B')
      const endpoint = endpointOf(String(url))
      const all = vectorsOf([variantOf(values, io)], values.rule)
      const token = await tokenFrom(values, io) ?? developmentToken
      vectors = all.filter(vector => isCovered(vector, token))
      leftOut = all.filter(vector => !isCovered(vector, token))
      answers = await conforming(answersOfEndpoint(endpoint, vectors, timeouts.one))
    }
    const report = conformanceReport(vectors, answers)
    io.stdout.write(values.json ? json({ ...report, leftOut: tokensOf(leftOut) }) : reportText(report, leftOut, io))
    return report.failures.length === 0 ? exitCodes.ok : exitCodes.mismatch
  }
}
