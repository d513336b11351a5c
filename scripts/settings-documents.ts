import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentSchema } from '../src/settings/environment.js'
import { developmentToken } from '../src/merchants/token-rules.js'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/**
 * Returns the comments above the members of a file's schemas and interfaces, by the names of the members.
 *
 * @throws Error a name has no comment
 */
function commentsIn (path: string): (name: string) => string {
  const comments = new Map(
    [...read(path).matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+)\??:/gm)]
      .map(([, comment = '', name = '']) => [name, comment.replace(/\n {3}\*/g, ' ').replace(/\s+/g, ' ').trim()])
  )
  return name => {
    const comment = comments.get(name)
    if (!comment) throw new Error(`${path}: write a /** comment */ above "${name}", which is its text in the documents`)
    return comment
  }
}

const meaningOf = commentsIn('src/settings/environment.ts')
const optionMeaningOf = commentsIn('src/options.ts')

interface Property { default?: unknown, minimum?: number, maximum?: number }
const variables = Object.entries(environmentSchema.properties as Record<string, Property>)

const defaultOf = (name: string, { default: value }: Property): string => name === 'MERCHANT_TOKEN' ? developmentToken : String(value)

const boundsOf = ({ minimum, maximum }: Property): string => minimum === undefined ? '' : ` Range: ${minimum}–${maximum}.`

/** Returns the text without Markdown, as a comment. */
function comment (markdown: string): string {
  const lines = ['#']
  for (const word of markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '').split(' ')) {
    const line = lines.at(-1) as string
    if (line.length + word.length < 118) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}

const variableTable = variables.map(([name, property]) => {
  const value = defaultOf(name, property)
  return `| \`${name}\` | ${value && `\`${value}\``} | ${meaningOf(name)}${boundsOf(property)} |\n`
}).join('')

const envExample = `# Copy this file to .env, which is read from the working directory. The environment wins over it.
# docs/configuration.md explains each variable.
` + variables.filter(([name]) => name !== 'NODE_ENV').map(([name, property]) =>
  `\n${comment(meaningOf(name) + boundsOf(property))}\n${name}=${defaultOf(name, property)}\n`).join('')

/** Options of createApp and createHandler. */
const options = ['config', 'authorize', 'tokenOf', 'audit', 'logger']
const optionTable = options.map(name => `| \`${name}\` | ${optionMeaningOf(name)} |\n`).join('')

/** Returns a document with another text between its markers. */
function withText (path: string, name: string, text: string): string {
  const document = read(path)
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [document.split(begin)[0], document.split(end)[1]]
  return `${before}${begin}\n${text}${end}${after}`
}

/** Documents with text from the schemas, by their paths. */
export const settingsDocuments: Readonly<Record<string, string>> = {
  '.env.example': envExample,
  'docs/configuration.md': withText('docs/configuration.md', 'settings', `| variable | default | meaning |\n|---|---|---|\n${variableTable}`),
  'docs/embedding.md': withText('docs/embedding.md', 'options', `| option | meaning |\n|---|---|\n${optionTable}`)
}
