import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './server.js'

/** The first code block of a language in a document of docs/, so that what is tried is what is shown. */
export function codeBlock (document: string, language: string): string {
  const text = readFileSync(join(root, 'docs', document), 'utf8')
  const [, block] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text) ?? []
  if (block === undefined) throw new Error(`docs/${document} has no ${language} block`)
  return block
}

/** A text with each key replaced by its value wherever it stands. Throws if it stands nowhere. */
export function substitute (text: string, replacements: Record<string, string | number>): string {
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`"${from}" is not in:\n${text}`)
    text = text.replaceAll(from, String(to))
  }
  return text
}
