import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Range {
  startOffset: number
  endOffset: number
  count: number
}

/** Coverage that V8 writes into the folder of NODE_V8_COVERAGE when a process ends. */
interface Coverage {
  result: Array<{ url: string, functions: Array<{ ranges: Range[] }> }>
}

/** Runs of a file's text: pairs of offsets. For each file, by its path in the folder of the compiled files. */
export type Covered = Record<string, Array<[start: number, end: number]>>

/** Returns the parts of a text that ran. Ranges are ordered from the outermost to the innermost. */
function partsThatRan (functions: Array<{ ranges: Range[] }>): Array<[number, number]> {
  const length = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)))
  const ran = new Uint8Array(length)
  const ranges = functions.flatMap(({ ranges }) => ranges)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
  for (const { startOffset, endOffset, count } of ranges) ran.fill(Number(count > 0), startOffset, endOffset)
  const all: Array<[number, number]> = []
  for (let at = 0; at < length;) {
    const end = ran.indexOf(1 - (ran[at] as number), at)
    const next = end === -1 ? length : end
    if (ran[at] === 1) all.push([at, next])
    at = next
  }
  return all
}

/** Reads what the processes of a test ran of the compiled files. */
export function readCoverage (folder: string, compiled: string): Covered {
  const covered: Covered = {}
  for (const name of readdirSync(folder)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue
      const path = fileURLToPath(url)
      const file = path.slice(compiled.length + 1)
      if (!path.startsWith(`${compiled}/`) || /^(?:test|scripts)\//.test(file)) continue
      covered[file] = [...covered[file] ?? [], ...partsThatRan(functions)]
    }
  }
  return covered
}

export const covers = (covered: Covered, file: string, offset: number): boolean =>
  covered[file]?.some(([start, end]) => start <= offset && offset < end) ?? false
