import { diagnose, usualTries } from '../diagnosis/diagnose.js'
import { diagnoseAll, wrongOf, type Signed } from '../diagnosis/diagnose-all.js'
import { count } from '../../src/command-line/arguments.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json } from '../../src/text/characters.js'
import { isOpen, report, reportOnAll } from './diagnosis-report.js'
import { readText } from './read-text.js'
import { inputOptions, readRequest, requestHelp, signedRequestsFrom } from './request-input.js'
import { candidateTokens, optionalTokenHelp, schemeFor, tokenFrom, variantHelp, variantOf, withValue } from './scheme-input.js'

/** Time without a progress line. In milliseconds. */
const patience = 2000

/** Shows a progress line at a terminal after {@link patience}. `end` removes the line. */
function progressOf ({ stderr }: Io): { show: (tries: number) => void, end: () => void } {
  const begin = performance.now()
  let isShown = false
  return {
    show (tries) {
      if (stderr.isTTY !== true || performance.now() - begin < patience) return
      isShown = true
      stderr.write(`\rsearching: ${tries} texts hashed so far`)
    },
    end () {
      if (isShown) stderr.write('\r\x1b[K')
    }
  }
}

export const command = commandOf({
  help: `Usage: payment-signature diagnose [--signature SIGNATURE] [options] [-]

Finds the mistake behind a signature, in the request, the token or the computation.
Without --signature, the file contains one or many requests with their signatures: lines of JSON, a JSON array, a HAR of
a browser, or a log. The command then also finds what the requests with wrong signatures have in common, and compares
the two calls of a payment: the request for the signature and the payment itself.

${requestHelp}
${optionalTokenHelp}  otherwise                   only part 1 is searched, which does not contain the token

Options
  --signature SIGNATURE       the expected or refused signature: part1///part2
  --other-request FILE        the request as the other side received it, in any of the forms above; it is compared
                              also if the signature matches
  --tokens FILE               other tokens that may have been used: lines of NAME=TOKEN, or a JSON object
  --deep                      try many other values too: amounts up to 1000000.00, time stamps within an hour; it takes
                              minutes
  --max-tries N               limit of the texts to hash; default: 1300000; with --deep 300000000
${variantHelp}  --json                      the library's Diagnosis

Exit code: 0 the signature matches or a cause was found, 1 no cause was found for one of the parts, 2 wrong usage

Example
  payment-signature diagnose --request request.json --tokens ./tokens --signature 8e55f6…///21a07e…
`,

  options: {
    ...inputOptions,
    ...withValue('signature', 'other-request', 'tokens', 'max-tries'),
    deep: { type: 'boolean' }
  },
  maxPositionals: 1,

  async run ({ values, positionals }, io) {
    const given = variantOf(values, io)
    const { 'other-request': otherPath, tokens: tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      throw new CommandError('standard input is for the request: --other-request and --tokens need a file')
    }
    const isDeep = values.deep === true
    const maxTries = count('max-tries', values['max-tries']) ?? usualTries(isDeep)
    const signed: Signed[] = await signedRequestsFrom(values, positionals, io)
    const [first] = signed as [Signed]
    const { request, signatures } = first
    const otherRequest = otherPath === undefined ? first.otherRequest : await readRequest(otherPath, io, true)
    const otherTokens = tokensPath === undefined
      ? undefined
      : candidateTokens(await readText(tokensPath, io), tokensPath)
    const progress = progressOf(io)
    const all = {
      ...await schemeFor(given, values, io, request, () => tokenFrom(values, io, request)),
      onProgress: progress.show,
      otherRequest,
      otherTokens
    }
    const wrong = wrongOf(first, all) ?? signatures[0]!
    const options = { ...all, deep: isDeep, maxTries }
    const result = signed.length > 1 ? diagnoseAll(signed, options) : diagnose(wrong, request, options)
    progress.end()
    const hasToken = (all.merchantToken ?? request.merchantToken) !== undefined
    const text = (): string => 'total' in result ? reportOnAll(result, hasToken, io) : report(result, io, isDeep)
    io.stdout.write(values.json ? json(result) : text())
    if ('total' in result) return result.unexplained.length + result.unsearched === 0 && (hasToken || result.failing > 0)
    return result.valid || (result.causes.length > 0 && !isOpen(result))
  }
})
