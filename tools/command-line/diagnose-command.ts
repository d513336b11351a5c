import { diagnose } from '../diagnosis/diagnose.js'
import { diagnoseAll, wrongOf, type Failure, type SharedDiagnosis } from '../diagnosis/diagnose-all.js'
import type { Cause, Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { difference } from '../diagnosis/difference.js'
import { count } from '../../src/command-line/arguments.js'
import { CommandError, commandOf, type Io } from '../../src/command-line/command.js'
import { json, quote, visible } from '../../src/text/characters.js'
import { readText } from './read-text.js'
import { readRequest, requestFrom, requestHelp, requestOptions, signedRequestsFrom } from './request-input.js'
import { candidateTokens, merchantFor, optionalTokenHelp, tokenFrom, tokenOptions } from './token-input.js'
import { marksOf, painter } from './report-text.js'
import { variantHelp, variantOf } from './variant-option.js'

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
    `  ${title.padEnd(6)}  ${shown.padEnd(width)}  ${[...text].length} character${text.length === 1 ? '' : 's'}`
  const marks = '^'.repeat(Math.max(1, ...ends.map(end => end - start)))
  return [row('signed', one, signed), row('sent', other, sent), paint('red', `          ${' '.repeat(start)}${marks}`)]
}

/** Returns a text with visible control characters. At a terminal, the text is wrapped between words. */
function sentence (text: string, { stdout }: Io): string {
  const { isTTY, columns = 80 } = stdout as Io['stdout'] & { readonly columns?: number }
  const width = Math.max(30, columns - 6)
  const longLine = new RegExp(`(?=.{${width + 1}})(.{20,${width}}) `, 'g')
  return isTTY === true ? visible(text).replace(longLine, '$1\n     ') : visible(text)
}

/** Returns the lines of a cause, without its title. */
function linesOf ({ changes }: Cause, io: Io): string {
  const paint = painter(io)
  const lines = changes.flatMap(({ finding, interpretation, fix, texts }, index) => [
    ...finding === changes[index - 1]?.finding
      ? []
      : [sentence(finding, io), ...texts === undefined ? [] : compared(texts, paint)],
    ...interpretation === '' ? [] : [sentence(interpretation, io)],
    paint('dim', sentence(`→ ${fix}`, io))
  ])
  return lines.map(line => `   ${line}\n`).join('')
}

function report (
  { valid, part1, part2, causes, hints, tries, complete }: Diagnosis, isDeep: boolean, io: Io
): string {
  const paint = painter(io)
  const marks = marksOf(io)
  const part = (name: string, finding: PartFinding): string => ({
    matches: `${marks.ok} ${name} matches\n`,
    explained: `${marks.warning} ${name} differs, and the first cause explains it\n`,
    unexplained: `${marks.failed} ${name} differs\n`,
    unsearched: `${marks.skipped} ${name} was not searched: there is no token\n`
  })[finding]

  function cause (cause: Cause, index: number): string {
    const { changes, equallyLikely } = cause
    const mistakes = new Set(changes.map(({ hypothesis }) => hypothesis)).size // one in both parts counts once
    const rank = equallyLikely > 1 ? `one of ${equallyLikely} explanations` : causes.length === 1 ? 'the only explanation found' : ''
    const titles = [
      ...causes.length === 1 ? [] : [index === 0 ? 'either' : 'or'],
      ...mistakes === 1 ? [] : [`${mistakes} mistakes combined`],
      changes.every(({ interpretation }) => interpretation === '') ? (causes.length === 1 ? 'proven' : '') : rank
    ].filter(title => title !== '')
    return `\n${paint('bold', [`${index + 1}.`, titles.join(', ')].join(' ').trimEnd())}\n${linesOf(cause, io)}`
  }

  return part('part 1', part1) + part('part 2', part2) +
    (valid ? 'The signature matches the request.\n' : '') +
    causes.map(cause).join('') +
    (hints.length > 0 ? `\n${hints.map(hint => `${sentence(hint, io)}\n`).join('')}` : '') +
    (valid ? '' : `\n${tries} texts hashed${complete ? '' : ', the limit; --max-tries raises it'}${isDeep || (part1 !== 'unexplained' && part2 !== 'unexplained') ? '' : '; --deep tries many more'}\n`)
}

/** Returns the report on many requests. */
function reportOnAll (shared: SharedDiagnosis, hasToken: boolean, io: Io): string {
  const { total, failing, pattern, causes, unexplained, unsearched, tries } = shared
  const paint = painter(io)
  const { ok, failed, skipped } = marksOf(io)
  const title = failing === 0
    ? `${ok} ${total} of ${total} match\n`
    : `${failed} ${failing} of ${total} fail${pattern === undefined ? '' : `: each whose ${visible(pattern)}`}\n`
  const sidOf = ({ request: { sid } }: Failure): string => `sid ${quote(String(sid))}`
  const cause = ({ cause, failures }: SharedDiagnosis['causes'][number], index: number): string =>
    `\n${paint('bold', `${index + 1}. explains ${failures.length} of ${failing}, such as ${sidOf(failures[0]!)}`)}\n${linesOf(cause, io)}`
  const open = unexplained.length === 0
    ? ''
    : `\n${failed} nothing explains ${unexplained.length} of ${failing}, such as ${sidOf(unexplained[0]!)}\n` +
      unexplained[0]!.diagnosis.hints.map(hint => `   ${sentence(hint, io)}\n`).join('')
  return title + (hasToken ? '' : `${skipped} part 2 was not searched: there is no token\n`) + causes.slice(0, maxCauses).map(cause).join('') + open +
    (failing === 0 ? '' : `\n${tries} texts hashed${unsearched === 0 ? '' : `; ${unsearched} more failing requests were not searched`}\n`)
}

const options = {
  ...requestOptions,
  ...tokenOptions,
  signature: { type: 'string' },
  'other-request': { type: 'string' },
  tokens: { type: 'string' },
  deep: { type: 'boolean' },
  'max-changes': { type: 'string' },
  'max-tries': { type: 'string' },
  json: { type: 'boolean' }
} as const

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

Finds the mistake behind a signature: the smallest change to the request, the token or the computation that yields it.
Without --signature, the file contains one or many requests with their signatures: lines of JSON, a JSON array, a HAR of
a browser, or a log. The command then also finds what the requests with wrong signatures have in common.

${requestHelp}
${optionalTokenHelp}  otherwise                   only part 1 is searched, which does not contain the token

Options
  --signature SIGNATURE       the expected or refused signature: part1///part2
  --other-request FILE        the request as the other side received it, in any of the forms above
  --tokens FILE               other tokens that may have been used: lines of NAME=TOKEN, or a JSON object
  --deep                      try many other values too: amounts up to 1000000.00, time stamps within an hour, two
                              wrong characters; it takes minutes
  --max-changes N             limit of the mistakes to combine, 1 to 3; default: 3
  --max-tries N               limit of the texts to hash; default: 1300000; with --deep 300000000
${variantHelp}  --json                      the library's Diagnosis

Exit code: 0 the signature matches or a cause was found, 1 no cause was found for one of the parts, 2 wrong usage

Example
  payment-signature diagnose --request request.json --tokens ./tokens --signature 8e55f6…///21a07e…
`,

  options,
  maxPositionals: 1,

  async run ({ values, positionals }, io) {
    const given = variantOf(values, io)
    const maxChanges = count('max-changes', values['max-changes'], 3)
    const maxTries = count('max-tries', values['max-tries'])
    const { 'other-request': otherPath, tokens: tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      throw new CommandError('standard input is for the request: --other-request and --tokens need a file')
    }
    const isDeep = values.deep === true
    const signed = values.signature === undefined
      ? await signedRequestsFrom(values, positionals, io)
      : [{ request: await requestFrom(values, positionals, io), signatures: [values.signature] }]
    const [first] = signed as [typeof signed[number]]
    const { request, signatures } = first
    const otherRequest = otherPath === undefined ? undefined : await readRequest(otherPath, io)
    const otherTokens = tokensPath === undefined
      ? undefined
      : candidateTokens(await readText(tokensPath, io), tokensPath)
    const progress = progressOf(io)
    const merchant = await merchantFor(values, io, request)
    const all = {
      variant: values.variant === undefined ? merchant?.variant ?? given : given,
      merchantToken: merchant?.token ?? await tokenFrom(values, io, request),
      deep: isDeep,
      onProgress: progress.show,
      otherRequest,
      otherTokens,
      maxChanges,
      maxTries
    }
    if (signed.length > 1) {
      const shared = diagnoseAll(signed, all)
      progress.end()
      const hasToken = (all.merchantToken ?? request.merchantToken) !== undefined
      io.stdout.write(values.json ? json(shared) : reportOnAll(shared, hasToken, io))
      return shared.unexplained.length + shared.unsearched === 0 && (hasToken || shared.failing > 0)
    }
    const diagnosis = diagnose(wrongOf(first, all) ?? signatures[0]!, request, all)
    progress.end()
    io.stdout.write(values.json ? json(diagnosis) : report(diagnosis, isDeep, io))
    const isFound = diagnosis.causes.length > 0 && diagnosis.part1 !== 'unexplained' && diagnosis.part2 !== 'unexplained'
    return diagnosis.valid || isFound
  }
})
