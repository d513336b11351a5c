import { styleText } from 'node:util'
import type { Io } from '../../src/command-line/command.js'

/** True if FORCE_COLOR asks for colours; otherwise true for a terminal without NO_COLOR. */
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

/** Returns the marks at the beginning of a report's lines. */
export function marksOf (io: Io) {
  const paint = painter(io)
  return { ok: paint('green', '✓'), warning: paint('yellow', '!'), failed: paint('red', '✗'), skipped: paint('dim', '-') }
}

/** Returns rows with aligned columns, each line indented by two spaces. */
export function table (rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd() + '\n').join('')
}
