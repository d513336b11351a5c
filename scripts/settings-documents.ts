import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginOptions, variables } from '../src/settings/settings.js'
import type { Setting } from '../src/settings/settings.js'
import { developmentToken } from '../src/token/key-check-value.js'
import { productionLines } from './lines-of-code.js'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const meanings = new Map(
  [...read('src/settings/settings.ts').matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+):/gm)]
    .map(([, comment = '', key = '']) => [key, comment.replace(/\n {3}\*/g, ' ').replace(/\s+/g, ' ').trim()])
)

/**
 * Returns the sentences about a setting, in Markdown.
 * @throws if the setting has no comment
 */
function meaningOf (key: string): string {
  const meaning = meanings.get(key)
  if (!meaning) throw new Error(`src/settings/settings.ts: write a /** comment */ above "${key}:", which is its text in the documents`)
  return meaning
}

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

function row (name: string, key: string, setting: Setting, bounds = ''): string {
  const value = defaultOf(key, setting)
  return `| \`${name}\` | ${value && `\`${value}\``} | ${meaningOf(key)}${bounds} |`
}

/** Returns the bounds of an integer. */
const boundsOf = ({ schema: { decimal } }: Setting): string =>
  decimal === undefined ? '' : ` Range: ${decimal.minimum} to ${decimal.maximum}.`

const isForSigning = ({ source, option }: Setting): boolean => source === 'both' || option !== undefined
const firstForSigning = variables.findIndex(isForSigning)
const headings = ['', '| **Who may sign what** | | |\n', '| **Operation** | | |\n']
const groups = [
  variables.slice(0, firstForSigning),
  variables.filter(isForSigning),
  variables.slice(firstForSigning).filter(variable => !isForSigning(variable))
]

const variableTable = groups.map((group, index) => headings[index] +
  group.map(variable => `${row(variable.name, variable.key, variable, boundsOf(variable).replace(' to ', '–'))}\n`).join('')).join('')

/** Options without a variable of the service. */
const optionTable = pluginOptions.filter(([, { source }]) => source === 'option')
  .map(([key, setting]) => `${row(key, key, setting)}\n`).join('')

/** Options with the meaning of a variable. */
const optionList = pluginOptions.filter(([, { source }]) => source === 'both').map(([key]) => `\`${key}\``).join(', ')

const envExample = `# Copy this file to .env, which is read from the working directory. The environment wins over it.
# docs/configuration.md explains each variable.
` + groups.flat().filter(({ key }) => key !== 'nodeEnv')
    .map(variable => `\n${comment(plain(meaningOf(variable.key)) + boundsOf(variable))}\n${variable.name}=${defaultOf(variable.key, variable)}\n`).join('')

/** Returns a document with another text between its markers. */
function withText (path: string, name: string, text: string, document = read(path)): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [document.split(begin)[0], document.split(end)[1]]
  return `${before}${begin}\n${text}${end}${after}`
}

/** Returns a document with another table between its markers. */
const withTable = (path: string, columns: readonly string[], rows: string): string =>
  withText(path, 'settings', `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${rows}`)

/** Lines of production code, rounded to hundreds. */
const roundedLines = (100 * Math.round(productionLines / 100)).toLocaleString('en')

/** Documents with text from the table of settings, by their paths. */
export const settingsDocuments: Readonly<Record<string, string>> = {
  '.env.example': envExample,
  'docs/configuration.md': withTable('docs/configuration.md', ['variable', 'default', 'meaning'], variableTable),
  'docs/embedding.md': withText('docs/embedding.md', 'options', `${optionList}\n`,
    withTable('docs/embedding.md', ['option', 'default', 'meaning'], optionTable)),
  'SECURITY.md': read('SECURITY.md').replace(/(?<=about )[\d,]+(?= lines of code)/, roundedLines)
}
