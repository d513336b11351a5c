import type { Io } from '../../src/command-line/command.js'
import { quote, visible } from '../../src/text/characters.js'
import type { Failure, SharedDiagnosis } from '../diagnosis/diagnose-all.js'
import type { Cause, Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { difference } from '../diagnosis/difference.js'
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

/** True if a part is unexplained. */
export const isOpen = ({ part1, part2 }: Diagnosis): boolean => part1 === 'unexplained' || part2 === 'unexplained'

/** Returns the report on one request. */
export function report (diagnosis: Diagnosis, io: Io, isDeep = false): string {
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
export function reportOnAll (shared: SharedDiagnosis, hasToken: boolean, io: Io): string {
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
    : `\n${failed} nothing ${hints.length > 0 ? 'else ' : ''}explains ${unexplained.length} of ${failing}, such as ${sidOf(unexplained[0]!)}\n` +
      (hints.length > 0 ? [] : unexplained[0]!.diagnosis.hints).map(hint => `   ${sentence(hint, io)}\n`).join('')
  const told = hints.length === 0 ? '' : `\n${linesWith(hints.map(hint => sentence(hint, io)))}`
  return title + (hasToken ? '' : `${skipped} part 2 was not searched: there is no token\n`) + told + causes.slice(0, maxCauses).map(cause).join('') + open +
    (failing === 0 ? '' : `\n${tries} texts hashed${unsearched === 0 ? '' : `; ${unsearched} more failing requests were not searched`}\n`)
}
