import { diagnose } from '../src/diagnosis/diagnose.js'
import type { Diagnosis } from '../src/diagnosis/diagnosis.js'
import { unnamedMistakes } from '../test/support/unnamed-mistakes.js'
import { uses } from '../test/support/wrong-signatures.js'

let first = 0, all = 0
const times: number[] = []
for (const m of unnamedMistakes) {
  const row: string[] = []
  for (const use of uses) {
    const a = m.attempts.get(use)
    if (!a) { row.push('-'); continue }
    const s = performance.now()
    const d: Diagnosis = diagnose(a.signature, a.request, a.options)
    times.push(performance.now() - s)
    all++
    const c = d.causes[0]
    const ok = c !== undefined && d.part1 !== 'unexplained' && d.part2 !== 'unexplained'
    if (ok) first++
    row.push(ok ? c.changes.map(x => x.hypothesis).join('+') : `MISS(${d.part1},${d.part2},${d.tries})`)
  }
  const set = [...new Set(row.filter(r => r !== '-'))]
  console.log(m.what.slice(0, 70).padEnd(72), set.join('  |  '))
}
times.sort((a, b) => a - b)
console.log(first, all, first / all, 'ms median', times[times.length >> 1], 'p95', times[Math.floor(times.length * 0.95)], 'max', times.at(-1))
