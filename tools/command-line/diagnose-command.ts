import { runInNewContext } from 'node:vm'
import { diagnose, usualTries } from '../diagnosis/diagnose.js'
import { diagnoseAll, wrongOf, type Failure, type SharedDiagnosis, type Signed } from '../diagnosis/diagnose-all.js'
import type { Cause, Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { difference } from '../diagnosis/difference.js'
import { count } from '../../src/command-line/arguments.js'
import { CommandError, commandOf, exitCodes, type Io } from '../../src/command-line/command.js'
import { json, quote, visible } from '../../src/text/characters.js'
import { readText } from './read-text.js'
import { inputOptions, readRequest, requestHelp, signedRequestsFrom } from './request-input.js'
import { candidateTokens, optionalTokenHelp, schemeFor, tokenFrom, variantHelp, variantOf, withValue } from './scheme-input.js'
import { marksOf, painter } from './report-text.js'

/** Limit of the causes in a report on many requests. */
const maxCauses = 5

/** Limit of the length of texts that are compared line by line. In UTF-16 code units. */
const maxShown = 90

/** Returns lines with the two texts and their lengths, and a line with marks below the difference. */
function compared ({ signed, sent }: NonNullable<Change['texts']>, paint: ReturnType<typeof painter>): string[] {
  const [one, other] = [quote(signed), quote(sent)]
  if (Math.max(one.length, other.length) > maxShown) return []
  const width = Math.max(one.length, other.length)
  const { start, ends } = difference(one, other)
  const row = (title: string, shown: string, text: string): string =>
    `     ${title.padEnd(6)}  ${shown.padEnd(width)}  ${[...text].length} character${text.length === 1 ? '' : 's'}`
  const marks = '^'.repeat(Math.max(1, ...ends.map(end => end - start)))
  return [row('signed', one, signed), row('sent', other, sent), paint('red', `             ${' '.repeat(start)}${marks}`)]
}

/** Returns a text with visible control characters. At a terminal, the text is wrapped between words. */
function sentence (text: string, { stdout }: Io): string {
  const { isTTY, columns = 80 } = stdout as Io['stdout'] & { readonly columns?: number }
  const width = Math.max(30, columns - 6)
  const longLine = new RegExp(`(?=.{${width + 1}})(.{20,${width}}) `, 'g')
  return isTTY === true ? visible(text).replace(longLine, '$1\n     ') : visible(text)
}

/** Returns the lines of a cause. The first line is a fact. A fact or advice of two changes in a row is printed once. */
function linesOf ({ changes }: Cause, io: Io): string[] {
  const paint = painter(io)
  return changes.flatMap(({ finding, interpretation, fix, texts }, index) => {
    const [before, next] = [changes[index - 1], changes[index + 1]]
    const fact = [
      `${index === 0 ? '   ' : ' + '}${sentence(finding, io)}`, ...texts === undefined ? [] : compared(texts, paint)
    ]
    const advice = [
      ...interpretation === '' ? [] : [`   ${sentence(interpretation, io)}`],
      `   ${paint('dim', sentence(`→ ${fix}`, io))}`
    ]
    const isAdviceOfNext = interpretation === next?.interpretation && fix === next.fix
    return [...finding === before?.finding ? [] : fact, ...isAdviceOfNext ? [] : advice]
  })
}

const linesWith = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

/** Returns a sentence about the number of explanations. Returns none for a cause that is proven. */
function rankOf (causes: readonly Cause[]): string {
  const [{ changes, equallyLikely }] = causes as [Cause]
  if (causes.length === 1) {
    return changes.every(({ interpretation }) => interpretation === '') || changes.some(({ isJoint }) => isJoint) ? '' : 'No other explanation was found.\n'
  }
  return equallyLikely === 1
    ? `Explanation 1 of ${causes.length} is the most likely.\n`
    : `Explanations 1 to ${Math.min(equallyLikely, causes.length)} are equally likely.\n`
}

const isOpen = ({ part1, part2 }: Diagnosis): boolean => part1 === 'unexplained' || part2 === 'unexplained'

function report (diagnosis: Diagnosis, isDeep: boolean, io: Io): string {
  const { valid, part1, part2, causes, hints, tries, complete } = diagnosis
  const paint = painter(io)
  const marks = marksOf(io)
  const part = (name: string, finding: PartFinding): string => ({
    matches: `${marks.ok} ${name} matches\n`,
    explained: `${marks.warning} ${name} differs, and ${causes.length === 1 ? 'this' : 'the first of these'} explains it\n`,
    unexplained: `${marks.failed} ${name} differs${causes.length === 0 ? '' : ', and nothing explains it'}\n`,
    unsearched: `${marks.skipped} ${name} was not searched: there is no token\n`
  })[finding]
  const cause = (cause: Cause, index: number): string => {
    const [first = '', ...rest] = linesOf(cause, io)
    const number = `${index + 1}.${index === 0 ? '' : ' or:'} `
    return linesWith([paint('bold', number + first.trimStart()), ...rest]) + '\n'
  }
  return causes.map(cause).join('') + (causes.length === 0 ? '' : rankOf(causes)) +
    part('part 1', part1) + part('part 2', part2) +
    (valid ? `The signature matches the request${causes.length > 0 ? ', and not the other request' : ''}.\n` : '') +
    (hints.length > 0 ? `\n${linesWith(hints.map(hint => sentence(hint, io)))}` : '') +
    (valid || tries === 0 ? '' : `\n${tries} texts hashed${complete ? '' : ', the limit; --max-tries raises it'}${isDeep || !isOpen(diagnosis) ? '' : '; --deep tries many more'}\n`)
}

/** Returns the report on many requests. */
function reportOnAll (shared: SharedDiagnosis, hasToken: boolean, io: Io): string {
  const { total, failing, pattern, causes, unexplained, hints, unsearched, tries } = shared
  const paint = painter(io)
  const { ok, failed, skipped } = marksOf(io)
  const title = failing === 0
    ? `${ok} ${total} of ${total} match\n`
    : `${failed} ${failing} of ${total} fail${pattern === undefined ? '' : `: each whose ${visible(pattern)}`}\n`
  const sidOf = ({ request: { sid } }: Failure): string => `sid ${quote(String(sid))}`
  const cause = ({ cause, failures }: SharedDiagnosis['causes'][number], index: number): string =>
    `\n${paint('bold', `${index + 1}. explains ${failures.length} of ${failing}, such as ${sidOf(failures[0]!)}`)}\n${linesWith(linesOf(cause, io))}`
  const open = unexplained.length === 0
    ? ''
    : `\n${failed} nothing explains ${unexplained.length} of ${failing}, such as ${sidOf(unexplained[0]!)}\n` +
      unexplained[0]!.diagnosis.hints.map(hint => `   ${sentence(hint, io)}\n`).join('')
  const told = hints.length === 0 ? '' : `\n${linesWith(hints.map(hint => sentence(hint, io)))}`
  return title + (hasToken ? '' : `${skipped} part 2 was not searched: there is no token\n`) + told + causes.slice(0, maxCauses).map(cause).join('') + open +
    (failing === 0 ? '' : `\n${tries} texts hashed${unsearched === 0 ? '' : `; ${unsearched} more failing requests were not searched`}\n`)
}

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

/**
 * Returns the result of a search. Ctrl-C ends a deep search; then the result is that of the usual search. V8 ends the
 * search, because a listener of SIGINT would wait for the end.
 */
function searched<Result> (
  search: (options: { deep?: boolean, maxTries: number }) => Result, isDeep: boolean, maxTries: number
): { result: Result, isInterrupted: boolean } {
  if (!isDeep) return { result: search({ maxTries }), isInterrupted: false }
  const usual = search({ maxTries: Math.min(maxTries, usualTries()) })
  try {
    const deep = (): Result => search({ deep: true, maxTries })
    return { result: runInNewContext('deep()', { deep }, { breakOnSigint: true }), isInterrupted: false }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error
    return { result: usual, isInterrupted: true }
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
                              minutes, and Ctrl-C prints what was found before
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
    const { result, isInterrupted } = searched(options => signed.length > 1
      ? diagnoseAll(signed, { ...all, ...options })
      : diagnose(wrong, request, { ...all, ...options }), isDeep, maxTries)
    progress.end()
    const hasToken = (all.merchantToken ?? request.merchantToken) !== undefined
    const text = (): string => 'total' in result ? reportOnAll(result, hasToken, io) : report(result, isDeep, io)
    io.stdout.write(values.json ? json(result) : text())
    if (isInterrupted) {
      io.stderr.write('payment-signature: interrupted: this is the result of the search without --deep\n')
      throw new CommandError('', exitCodes.interrupted)
    }
    if ('total' in result) return result.unexplained.length + result.unsearched === 0 && (hasToken || result.failing > 0)
    return result.valid || (result.causes.length > 0 && !isOpen(result))
  }
})
