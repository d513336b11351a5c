import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Progress, beside the tables on standard output. */
export const say = line => process.stderr.write(`${line}\n`)

const row = cells => `| ${cells.join(' | ')} |\n`

export const table = (head, rows) => `\n${row(head)}${row(head.map(() => '---'))}${rows.map(row).join('')}`

/** A folder that is gone when the process ends, also by a signal. */
export function temporaryDirectory (name) {
  const directory = mkdtempSync(join(tmpdir(), `payment-signature-${name}-`))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return directory
}

/** Returns a document with new tables between its markers, for each part that was measured. */
export const replaceTables = (document, results, machine) => Object.entries(results).reduce((text, [name, result]) =>
  text.replace(new RegExp(`(<!-- bench ${name} -->)[^]*(<!-- /bench ${name} -->)`), (_, begin, end) =>
    `${begin}\n${result.text.trim()}\n\n${machine}\n${end}`), document)
