import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './server.js'

/** A code block of a document. */
export interface Fence {
  /** Below the root, such as `docs/api.md`. */
  document: string
  /** Line of its beginning. */
  line: number
  /** Language after the opening backticks. Empty if none is named. */
  language: string
  /** Text without indent. */
  text: string
}

/** Documents with code blocks. */
export const documents = [
  'README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'vectors/README.md',
  ...['tools', 'test'].map(folder => `${folder}/README.md`),
  ...readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
]

/** Returns all code blocks of a document, from top to bottom. */
export function fencesOf (document: string): Fence[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)].map(({ index, 1: indent = '', 2: language = '', 3: block = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  }))
}

/** Replaces each key in a text by its value. Throws if a key is missing. */
export function substitute (text: string, replacements: Record<string, string | number>): string {
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`"${from}" is not in:\n${text}`)
    text = text.replaceAll(from, String(to))
  }
  return text
}

/** A command of a transcript, and the output below it. */
interface Step {
  command: string
  output: string
}

/** Splits a transcript. Each command follows a `$`, and continues while a quote is open or after a backslash. */
export function stepsOf (transcript: string): Step[] {
  const steps: Step[] = []
  let isOpen = false
  for (const line of transcript.trimEnd().split('\n')) {
    const step = steps.at(-1)
    if (isOpen && step !== undefined) step.command += `\n${line}`
    else if (line.startsWith('$ ') || step === undefined) steps.push({ command: line.replace(/^\$ /, ''), output: '' })
    else step.output += `${line}\n`
    const { command } = steps.at(-1)!
    isOpen = line.endsWith('\\') || (command.split("'").length % 2 === 0 && steps.at(-1)?.output === '')
  }
  return steps
}

/** Parts of an output that differ between runs: durations, and the progress of a search. */
const masked = (text: string): string => text.replace(/\b\d+(?= ms\b| texts hashed$)/gm, 'N')

/** True if an output equals the documented one. `…` stands for any text, and trailing white space is ignored. */
export function isAsShown (output: string, shown: string): boolean {
  const pattern = masked(shown).trimEnd().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '[^]*')
  return new RegExp(`^${pattern}$`).test(masked(output).trimEnd())
}
