/** Progress, beside the tables on standard output. */
export const say = line => process.stderr.write(`${line}\n`)

const row = cells => `| ${cells.join(' | ')} |\n`

export const table = (head, rows) => `\n${row(head)}|${'---|'.repeat(head.length)}\n${rows.map(row).join('')}`

/**
 * Returns a document with new tables between its markers: of each part its `page`, or the text that was printed. The
 * date and the machine are at the top if all parts were measured, and otherwise below the new tables.
 */
export function replaceTables (document, results, machine) {
  const between = (text, name, content) =>
    text.replace(new RegExp(`(<!-- bench ${name} -->\n)[^]*(<!-- /bench ${name} -->)`), (_, begin, end) => begin + content + end)
  const isComplete = document.match(/<!-- bench /g).length === Object.keys(results).length + 1
  const below = isComplete ? '' : `\n${machine}\n`
  const head = isComplete ? between(document, 'machine', `${machine}\n`) : document
  return Object.entries(results).reduce(
    (text, [name, result]) => between(text, name, `${(result.page ?? result.text).trim()}\n${below}`), head)
}
