import { styleText } from 'node:util'
import { isInvisible } from '../scheme/text.js'
import type { Io } from './command.js'

export { quote as quoted, visible } from '../scheme/text.js'

/** A value as one line of JSON, with null for what is undefined, and JSON's escapes for what nobody would see. */
export function json (value: unknown): string {
  const text = JSON.stringify(value, (_key, member) => member === undefined ? null : member)
  const escaped = [...text].map(character => isInvisible(character)
    ? [...Array(character.length).keys()].map(unit =>
        `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('')
    : character)
  return `${escaped.join('')}\n`
}

/** Whether standard output is to have colours: FORCE_COLOR and NO_COLOR say so, or else whether it is a terminal. */
function hasColours ({ stdout, env }: Io): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

type Colour = 'green' | 'red' | 'yellow' | 'bold' | 'dim'

/** Paints a text, or returns it as it is. */
export function painter (io: Io): (colour: Colour, text: string) => string {
  if (!hasColours(io)) return (_colour, text) => text
  return (colour, text) => styleText(colour, text, { validateStream: false })
}

/** What the lines of a report begin with. */
export function marksOf (io: Io) {
  const paint = painter(io)
  return { ok: paint('green', '✓'), warning: paint('yellow', '!'), failed: paint('red', '✗'), skipped: paint('dim', '-') }
}

/** Rows whose columns are aligned, each line with an indent of two spaces. */
export function table (rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd() + '\n').join('')
}
