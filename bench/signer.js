import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onServerProcessor } from './processors.js'
import { cases } from './signer-cases.js'
import { rotated } from './statistics.js'

const run = promisify(execFile)

async function time (...args) {
  const [program, ...rest] = onServerProcessor([process.execPath, join(import.meta.dirname, 'signer-process.js')])
  const { stdout } = await run(program, [...rest, ...args.map(String)])
  return JSON.parse(stdout).nanoseconds
}

/** Nanoseconds for a signature: ours, the floor and the createHash implementation, for each case. */
export async function signer ({ rounds = 7, seconds = 1, smoke, say }) {
  const results = cases.map(({ variant, text, operation }, number) =>
    ({ number, variant, text, operation, ours: [], floor: [], createHash: [] }))
    .filter(({ number }) => !smoke || number % 3 === 0)
  for (let round = 0; round < rounds; round++) {
    for (const result of rotated(results, round)) {
      for (const implementation of rotated(['ours', 'floor', 'createHash'], round)) {
        result[implementation].push(await time(result.number, implementation, seconds))
      }
      const { variant, operation, text, ours } = result
      say(`round ${round + 1} of ${rounds}: ${variant} ${operation} ${text}, ${ours.at(-1).toFixed(0)} ns`)
    }
  }
  return { seconds, cases: results.map(({ number, ...result }) => result) }
}
