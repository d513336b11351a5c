import { quote, visible } from '../explain/characters.js'
import type { SharedDiagnosis } from '../diagnosis/diagnose-all.js'
import type { Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { marksOf, painter, type Io } from './command.js'

/** Limit of the groups in a report on many requests. */
const maxGroups = 5

/** Returns the lines of changes. The first line is a fact. A fact or advice of two changes in a row is printed once. */
function linesOf (changes: readonly Change[], title: string, io: Io): string {
  const paint = painter(io)
  return changes.flatMap(({ finding, interpretation, fix }, index) => {
    const [before, next] = [changes[index - 1], changes[index + 1]]
    const mark = index === 0 ? title : ' + '
    const fact = [mark + paint('bold', visible(finding))]
    const reason = interpretation === '' ? [] : [`   ${visible(interpretation)}`]
    const isAdviceOfNext = interpretation === next?.interpretation && fix === next.fix
    const advice = isAdviceOfNext ? [] : [...reason, `   ${paint('dim', visible(`→ ${fix}`))}`]
    return [...finding === before?.finding ? [] : fact, ...advice]
  }).map(line => `${line}\n`).join('')
}

const told = (hints: readonly string[]): string =>
  hints.length === 0 ? '' : `\n${hints.map(hint => `${visible(hint)}\n`).join('')}`

/** Returns the report on one request. */
export function report (diagnosis: Diagnosis, io: Io): string {
  const { valid, part1, part2, causes, hints, tries } = diagnosis
  const marks = marksOf(io)
  const part = (name: string, finding: PartFinding): string => ({
    matches: `${marks.ok} ${name} matches\n`,
    explained: `${marks.warning} ${name} differs, and this explains it\n`,
    unexplained: `${marks.failed} ${name} differs${causes.length === 0 ? '' : ', and nothing explains it'}\n`,
    unsearched: `${marks.skipped} ${name} was not searched: there is no token\n`
  })[finding]
  return causes.map(({ changes }, index) => `${linesOf(changes, `${index + 1}. `, io)}\n`).join('') +
    part('part 1', part1) + part('part 2', part2) +
    (valid ? `The signature matches the request${causes.length > 0 ? ', and not the other request' : ''}.\n` : '') +
    told(hints) +
    (valid || tries === 0 ? '' : `\n${tries} texts hashed\n`)
}

/** Returns the report on many requests. */
export function reportOnAll (shared: SharedDiagnosis, hasToken: boolean, io: Io): string {
  const { total, failing, changes, pattern, groups, hints, unsearched, tries } = shared
  const { ok, failed, skipped } = marksOf(io)
  const title = failing === 0 ? `${ok} ${total} of ${total} match${hasToken ? '' : ' in part 1'}\n` : `${failed} ${failing} of ${total} fail`
  const each = failing === 0 ? '' : pattern === undefined ? '\n' : `: each whose ${visible(pattern)}, and no other\n`
  const group = ({ changes, failures }: SharedDiagnosis['groups'][number], index: number): string => {
    const [{ request, diagnosis }] = failures as [typeof failures[0]]
    const of = `${failures.length} of ${failing}, such as sid ${quote(String(request.sid))}`
    return changes.length === 0
      ? `\n${failed} nothing explains ${of}${told(diagnosis.hints)}`
      : `\n${painter(io)('bold', `${index + 1}. explains ${of}`)}\n${linesOf(changes, '   ', io)}`
  }
  const unsearchedPart = hasToken ? '' : `${skipped} part 2 was not searched: there is no token\n`
  return linesOf(changes, '', io) + title + each + unsearchedPart +
    told(hints) + groups.slice(0, maxGroups).map(group).join('') + (groups.length === 0
    ? ''
    : `\n${tries} texts hashed${unsearched === 0 ? '' : `; ${unsearched} more failing requests were not searched`}\n`)
}
