import type { ConformanceReport } from '../conformance/report.js'
import type { Vector } from '../conformance/vectors.js'
import type { Io } from '../../src/command-line/command.js'
import { marksOf, quoted, table, visible } from '../../src/command-line/output.js'

/** How many failures are shown in full. */
const maxShown = 10

/** Of a text that is shown whole, in UTF-16 code units. */
const maxLength = 300

/** How many of some vectors have each token. */
export function tokensOf (vectors: readonly Vector[]): Array<{ token: string, count: number }> {
  const counts = new Map<string, number>()
  for (const { token } of vectors) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].map(([token, count]) => ({ token, count }))
}

/** Long texts are among the vectors. */
function excerpt (text: string): string {
  return text.length <= maxLength ? quoted(text) : `${quoted(text.slice(0, 150))} … ${quoted(text.slice(-100))}`
}

function failureText ({ variant, rule, name, problem, expected, hint }: ConformanceReport['failures'][number], io: Io): string {
  const { part1, part2 } = expected
  const lines = [`${marksOf(io).failed} ${variant}, ${rule}: ${visible(name)}`]
  if (problem !== '') lines.push(`    ${visible(problem)}`)
  if (part1 !== undefined) lines.push(`    part 1 differs; the text to hash is ${excerpt(part1)}`)
  if (part2 !== undefined) lines.push(`    part 2 differs; the text to hash is ${excerpt(part2)}`)
  if (hint !== '') lines.push(`    often missed: ${hint}`)
  return lines.map(line => `${line}\n`).join('')
}

export function reportText (report: ConformanceReport, leftOut: readonly Vector[], io: Io): string {
  const { passed, total, rules, failures } = report
  const marks = marksOf(io)
  const rows = rules.map(({ variant, rule, passed, total }) =>
    [passed === total ? marks.ok : marks.failed, variant, rule, `${passed}/${total}`])
  let text = `${table(rows)}\n`
  for (const failure of failures.slice(0, maxShown)) text += failureText(failure, io)
  if (failures.length > maxShown) text += `and ${failures.length - maxShown} more; --json lists them all\n`
  if (failures.length > 0) text += '\n'
  text += `${passed} of ${total} vectors passed\n`
  if (leftOut.length === 0) return text
  const tokens = tokensOf(leftOut).map(({ token, count }) => `${quoted(token)} (${count})`)
  return text + `${leftOut.length} were left out: they need another token. To cover them, run the service and ` +
    `this command with each of these as MERCHANT_TOKEN: ${tokens.join(', ')}\n`
}
