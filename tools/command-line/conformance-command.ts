import { callEndpoint, isCovered } from '../conformance/endpoint.js'
import { runBatch, runEach } from '../conformance/program.js'
import { conformanceReport, failureKinds, type ConformanceReport } from '../conformance/report.js'
import { loadVectors, type Vector } from '../conformance/vectors.js'
import { isVariant, variantNames, type Variant } from '../../src/scheme/variants.js'
import { developmentToken } from '../../src/token/key-check-value.js'
import { urlIn } from '../../src/command-line/arguments.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { sendRequest } from '../../src/command-line/send-request.js'
import { json, quote, visible } from '../../src/text/characters.js'
import { membersOf } from './doctor-checks.js'
import { tokenFrom, variantOf, withValue } from './scheme-input.js'
import { marksOf, table } from './report-text.js'
import { programName } from '../../src/text/program.js'

/** Time-outs of a process that signs one request and of a process that signs all requests, in milliseconds. */
const timeouts = { one: 10_000, all: 60_000 }

function variantsOf (variant: string | undefined): Variant[] {
  const name = variant?.toUpperCase() ?? 'BOTH'
  if (name === 'BOTH') return variantNames
  if (isVariant(name)) return [name]
  throw new CommandError(`--variant must be ${variantNames.join(', ')} or both`)
}

/** Returns the vectors whose rule contains one of the texts. Default: all vectors. */
function vectorsOf (variants: readonly Variant[], texts: readonly string[] = []): Vector[] {
  const all = loadVectors(variants)
  if (texts.length === 0) return all
  const some = all.filter(({ rule }) => texts.some(text => rule.toLowerCase().includes(text.toLowerCase())))
  if (some.length > 0) return some
  throw new CommandError(`no rule contains that text; the rules are: ${[...new Set(all.map(({ rule }) => rule))].join(', ')}`)
}

const usage = () => 'pass either a URL, such as http://localhost:3001, or a command after --: ' +
  `${programName()} conformance -- COMMAND`

/** Returns the URL of the endpoint. A URL without a path gets the path of the specification. */
function endpointOf (text: string): string {
  if (!/^https?:/i.test(text)) throw new CommandError(usage())
  const url = urlIn(text)
  if (url.pathname === '/') url.pathname = '/api/generate-signature'
  return url.href
}

/** Maximum number of failures in the report. */
const maxShown = 10

/** Counts the vectors of each token. */
function tokensOf (vectors: readonly Vector[]): Array<{ token: string, count: number }> {
  const counts = new Map<string, number>()
  for (const { token } of vectors) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].map(([token, count]) => ({ token, count }))
}

/** Returns a text in quotes, a long text without its middle. */
const excerpt = (text: string): string =>
  text.length <= 300 ? quote(text) : `${quote(text.slice(0, 150))} … ${quote(text.slice(-100))}`

function failureText ({ variant, rule, name, problem, expected, hint }: ConformanceReport['failures'][number], io: Io): string {
  const { part1, part2, refusal } = expected
  const lines = [`${marksOf(io).failed} ${variant}, ${rule}: ${visible(name)}`]
  if (problem !== '') lines.push(`    ${visible(problem)}`)
  if (part1 !== undefined) lines.push(`    part 1 differs; the text to hash is ${excerpt(part1)}`)
  if (part2 !== undefined) lines.push(`    part 2 differs; the text to hash is ${excerpt(part2)}`)
  if (refusal !== undefined) lines.push(`    the specification refuses this request; the answer is ${quote(refusal)}`)
  if (hint !== '') lines.push(`    often missed: ${hint}`)
  return lines.map(line => `${line}\n`).join('')
}

function report (results: ConformanceReport, leftOut: readonly Vector[], io: Io): string {
  const { passed, total, rules, failures } = results
  const marks = marksOf(io)
  const rows = rules.map(({ variant, rule, passed, total }) =>
    [passed === total ? marks.ok : marks.failed, variant, rule, `${passed}/${total}`])
  let text = `${table(rows)}\n`
  for (const failure of failures.slice(0, maxShown)) text += failureText(failure, io)
  if (failures.length > maxShown) text += `and ${failures.length - maxShown} more; --json lists them all\n`
  if (failures.length > 0) text += '\n'
  text += `${passed} of ${total} vectors passed\n`
  if (failures.length > 0) {
    const kinds = Object.entries(failureKinds) as Array<[keyof typeof failureKinds, string]>
    const shown = kinds.filter(([kind]) => kind === 'signed' || results[kind] > 0)
    text += shown.map(([kind, description]) => `${results[kind]} ${description}\n`).join('')
  }
  if (leftOut.length === 0) return text
  const tokens = tokensOf(leftOut).map(({ token, count }) => `${quote(token)} (${count})`)
  return text + `${leftOut.length} were left out: they need another token. To cover them, run the service and ` +
    `this command with each of these as MERCHANT_TOKEN: ${tokens.join(', ')}\n`
}

export const command = commandOf({
  help: `Usage: payment-signature conformance [options] -- COMMAND [ARGUMENT…]
       payment-signature conformance [options] URL

Tests another implementation with the test vectors, rule by rule of the specification. docs/specification.md describes
the protocol, with samples to start from.

COMMAND is run once for each vector: it reads a request as JSON from standard input, the token from MERCHANT_TOKEN and
the variant from VARIANT (${variantNames.join(' or ')}), prints the signature and exits with 0. For a request that the
specification refuses it prints the status and the message: 400 sid is required (client-generated session ID)
URL is a signing endpoint or the root of a service; it gets only the requests that its own token can sign.

Options
  --batch                     run COMMAND once: it reads { "variant", "token", "request" } per line, and prints an
                              answer per line
  ${`--variant ${variantNames.join('|')}|both`.padEnd(28)}default for a command: both; for a URL: VARIANT, or else A
  --rule TEXT                 only rules that contain this text, in any case; may be repeated
  --token-file FILE           the token of the service at URL; default: MERCHANT_TOKEN, or else
                              ${developmentToken}, which most vectors use
  --safe                      exit with 0 also if requests are refused that could be signed, or with another answer:
                              for implementations that sign only strings
  --json                      { "passed", "total", "signed", "unanswered", "refused", "otherRefusal", "rules",
                              "failures", "leftOut" }

Exit code: 0 all passed, 1 some failed, 2 wrong usage, or the command or the URL cannot be tried

Examples
  payment-signature conformance -- php sign.php
  payment-signature conformance --rule refund --variant A --batch -- python3 sign.py --batch
  payment-signature conformance http://localhost:3001
`,

  options: {
    ...withValue('token-file', 'variant'),
    batch: { type: 'boolean' },
    rule: { type: 'string', multiple: true },
    safe: { type: 'boolean' },
    json: { type: 'boolean' }
  },
  maxPositionals: Infinity,

  async run ({ values, positionals, rest }, io) {
    const [program, ...programArgs] = rest
    const [url, ...more] = positionals.slice(0, positionals.length - rest.length)
    if ((program === undefined) === (url === undefined) || more.length > 0) throw new CommandError(usage())

    let vectors: Vector[]
    let leftOut: Vector[] = []
    let outcomes
    if (program !== undefined) {
      vectors = vectorsOf(variantsOf(values.variant), values.rule)
      const timeout = values.batch ? timeouts.all : timeouts.one
      const command = { program, args: programArgs, env: io.env, timeout }
      outcomes = await (values.batch ? runBatch : runEach)(command, vectors)
    } else {
      if (values.batch) throw new CommandError('--batch works only with a command: a URL gets one request at a time')
      if (values.variant === 'both') throw new CommandError(`a service has one variant: --variant must be ${variantNames.join(' or ')}`)
      const endpoint = endpointOf(String(url))
      const variant = variantOf(values, io)
      // Only this service reports a variant at GET /health.
      const health = await sendRequest(new URL('../health', endpoint), { timeout: timeouts.one }).then(membersOf, () => undefined)
      const actual = health?.variant
      if (isVariant(actual) && actual !== variant) throw new CommandError(`the service has variant ${actual}: pass --variant ${actual}`)
      const all = vectorsOf([variant], values.rule)
      const token = await tokenFrom(values, io) ?? developmentToken
      vectors = all.filter(vector => isCovered(vector, token))
      leftOut = all.filter(vector => !isCovered(vector, token))
      outcomes = await callEndpoint(endpoint, vectors, timeouts.one)
    }
    const results = conformanceReport(vectors, outcomes)
    io.stdout.write(values.json ? json({ ...results, leftOut: tokensOf(leftOut) }) : report(results, leftOut, io))
    return values.safe ? results.signed + results.unanswered === 0 : results.failures.length === 0
  }
})
