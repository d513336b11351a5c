import { runBatch, runEach } from '../conformance/program.js'
import { callEndpoint, isCovered } from '../conformance/endpoint.js'
import { conformanceReport } from '../conformance/report.js'
import { loadVectors } from '../conformance/vectors.js'
import type { Vector } from '../conformance/vectors.js'
import { isVariant, variantNames } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import { developmentToken } from '../../src/token/development-token.js'
import { parse, variantOf } from '../../src/command-line/arguments.js'
import { CommandError } from '../../src/command-line/command.js'
import type { Command } from '../../src/command-line/command.js'
import { reportText, tokensOf } from './conformance-report.js'
import { json } from '../../src/command-line/output.js'
import { urlIn } from '../../src/command-line/service-url.js'
import { tokenFrom, tokenOptions } from './token-input.js'

const options = {
  ...tokenOptions,
  variant: { type: 'string', choices: [...variantNames, 'both'] },
  batch: { type: 'boolean' },
  rule: { type: 'string', multiple: true },
  json: { type: 'boolean' }
} as const

/** How long a process may take that signs one request, and one that signs them all, in milliseconds. */
const timeouts = { one: 10_000, all: 60_000 }

function variantsOf (variant: string | undefined): Variant[] {
  const name = variant?.toUpperCase() ?? 'BOTH'
  if (name === 'BOTH') return variantNames
  if (isVariant(name)) return [name]
  throw new CommandError(`--variant must be ${variantNames.join(', ')} or both`)
}

/** The vectors whose rule has one of some texts in it. */
function vectorsOf (variants: readonly Variant[], texts: readonly string[] = []): Vector[] {
  const all = variants.flatMap(loadVectors)
  if (texts.length === 0) return all
  const some = all.filter(({ rule }) => texts.some(text => rule.toLowerCase().includes(text.toLowerCase())))
  if (some.length > 0) return some
  throw new CommandError(`no rule contains that text; the rules are: ${[...new Set(all.map(({ rule }) => rule))].join(', ')}`)
}

const usage = 'pass either a URL, such as http://localhost:3001, or a command after --: ' +
  'payment-signature conformance -- COMMAND'

/** A service's endpoint: the URL, or the specification's path where it has none. */
function endpointOf (text: string): string {
  if (!/^https?:/i.test(text)) throw new CommandError(usage)
  const url = urlIn(text)
  if (url.pathname === '/') url.pathname = '/api/generate-signature'
  return url.href
}

export const command: Command = {
  help: `Usage: payment-signature conformance [options] -- COMMAND [ARGUMENT…]
       payment-signature conformance [options] URL

Tests another implementation with the test vectors, rule by rule of the specification. docs/conformance.md describes the
protocol, with clients to start from.

COMMAND is run once for each vector: it reads a request as JSON from standard input, the token from MERCHANT_TOKEN and
the variant from VARIANT (${variantNames.join(' or ')}), prints the signature, and exits with 0.
URL is a signing endpoint or the root of a service; it gets only the requests that its own token can sign.

Options
  --batch                     run COMMAND once: it reads { "variant", "token", "request" } per line, and prints a
                              signature per line
  ${`--variant ${variantNames.join('|')}|both`.padEnd(28)}default for a command: both; for a URL: VARIANT, or else A
  --rule TEXT                 only rules that contain this text, in any case; may be repeated
  --token-file FILE           the token of the service at URL; default: MERCHANT_TOKEN, or else
                              ${developmentToken}, which most vectors use
  --json                      { "passed", "total", "rules", "failures", "leftOut" }

Exit code: 0 all passed, 1 some failed, 2 wrong usage, or the command or the URL cannot be tried

Examples
  payment-signature conformance -- php sign.php
  payment-signature conformance --rule refund --variant A --batch -- python3 sign.py --batch
  payment-signature conformance http://localhost:3001
`,

  options,

  async run (args, io) {
    const end = args.includes('--') ? args.indexOf('--') : args.length
    const [program, ...programArgs] = args.slice(end + 1)
    const { values, positionals: [url, ...more] } = parse(args.slice(0, end), options, Infinity)
    if ((program === undefined) === (url === undefined) || more.length > 0) throw new CommandError(usage)

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
      const all = vectorsOf([variantOf(values, io)], values.rule)
      const token = await tokenFrom(values, io) ?? developmentToken
      vectors = all.filter(vector => isCovered(vector, token))
      leftOut = all.filter(vector => !isCovered(vector, token))
      outcomes = await callEndpoint(endpoint, vectors, timeouts.one)
    }
    const report = conformanceReport(vectors, outcomes)
    io.stdout.write(values.json ? json({ ...report, leftOut: tokensOf(leftOut) }) : reportText(report, leftOut, io))
    return report.failures.length === 0
  }
}
