import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from '../src/service/error-codes.js'
import { pluginOptions, variables } from '../src/service/settings.js'
import type { Setting } from '../src/service/settings.js'
import { developmentToken } from '../src/token/development-token.js'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const meanings = new Map(
  [...read('src/service/settings.ts').matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+):/gm)]
    .map(([, comment = '', key = '']) => [key, comment.replace(/\n {3}\*/g, ' ').replace(/\s+/g, ' ').trim()])
)

/** Returns the sentences about a setting, in Markdown. */
const meaningOf = (key: string) => meanings.get(key) as string

/** Returns the text without Markdown. */
const plain = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

function comment (text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line.length + word.length < 118) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}

const defaultOf = (key: string, { schema }: Setting): string =>
  key === 'merchantToken' ? developmentToken : String(schema.default)

function row (name: string, key: string, setting: Setting): string {
  const value = defaultOf(key, setting)
  return `| \`${name}\` | ${value && `\`${value}\``} | ${meaningOf(key)} |`
}

/** Completes the sentence "It must be …". */
const allowed = ({ schema, isSecret }: Setting): string =>
  schema.description.replaceAll('*', '\\*') + (isSecret ? '; the value is never shown' : '')

const isForSigning = ({ source, option }: Setting): boolean => source === 'both' || option !== undefined
const firstForSigning = variables.findIndex(isForSigning)
const headings = ['', '| **Who may sign what** | | | |\n', '| **Running it** | | | |\n']
const groups = [
  variables.slice(0, firstForSigning),
  variables.filter(isForSigning),
  variables.slice(firstForSigning).filter(variable => !isForSigning(variable))
]

const variableTable = groups.map((group, index) => headings[index] +
  group.map(variable => `${row(variable.name, variable.key, variable)} ${allowed(variable)} |\n`).join('')).join('')

const optionNames = new Map(variables.map(({ name, key }) => [name as string, key]))

const optionTable = pluginOptions.map(([key, setting]) => `${row(key, key, setting)}\n`).join('')
  .replace(/`([A-Z_]+)`/g, (_text, name) => `\`${optionNames.get(name)}\``)

/** Returns a sentence on the allowed text. Empty if all text is allowed. */
const formatOf = ({ schema: { pattern, format, description } }: Setting): string =>
  pattern === undefined && format === undefined ? '' : ` It must be ${description}.`

const envExample = `# Copy this file to .env, which is read from the working directory. The environment wins over it.
# docs/configuration.md says more about each variable.
` + groups.flat().filter(({ key }) => key !== 'nodeEnv')
    .map(variable => `\n${comment(plain(meaningOf(variable.key)) + formatOf(variable))}\n${variable.name}=${defaultOf(variable.key, variable)}\n`).join('')

const errorTable = Object.entries(errorCodes).map(([code, [status, remedy, ...messages]]) =>
  `| ${status} \`${code}\` | ${messages.map(message => `\`${message}\``).join(', ')} | ${remedy} |\n`).join('')

/** Returns a document with another table between its markers. */
function withTable (path: string, columns: readonly string[], rows: string, name = 'settings'): string {
  const heading = `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n`
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [read(path).split(begin)[0], read(path).split(end)[1]]
  return `${before}${begin}\n${heading}${rows}${end}${after}`
}

/** Documents with text from the tables of settings and errors, by their paths. */
export const settingsDocuments: Readonly<Record<string, string>> = {
  '.env.example': envExample,
  'docs/configuration.md': withTable('docs/configuration.md', ['variable', 'default', 'meaning', 'it must be'], variableTable),
  'docs/embedding.md': withTable('docs/embedding.md', ['option', 'default', 'meaning'], optionTable),
  'docs/errors.md': withTable('docs/errors.md', ['status and code', 'message', 'remedy'], errorTable, 'errors')
}
