import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './server.js'

/** The code blocks of a language in a document of docs/, so that what is tried is what is shown. */
export function codeBlocks (document: string, language: string): string[] {
  const text = readFileSync(join(root, 'docs', document), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

/** The first of them. */
export function codeBlock (document: string, language: string): string {
  const [block] = codeBlocks(document, language)
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
