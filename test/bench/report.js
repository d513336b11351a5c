/** Progress, beside the tables on standard output. */
export const say = line => process.stderr.write(`${line}\n`)

const row = cells => `| ${cells.join(' | ')} |\n`

export const table = (head, rows) => `\n${row(head)}|${'---|'.repeat(head.length)}\n${rows.map(row).join('')}`

/** Returns a document with new tables between its markers: of each part its `page`, or the text that was printed. */
export const replaceTables = (document, results, machine) => Object.entries(results).reduce((text, [name, result]) =>
  text.replace(new RegExp(`(<!-- bench ${name} -->)[^]*(<!-- /bench ${name} -->)`), (_, begin, end) =>
    `${begin}\n${(result.page ?? result.text).trim()}\n\n${machine}\n${end}`), document)
