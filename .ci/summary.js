import { createInterface } from 'node:readline'

// Reads TAP from standard input. Prints failures, skipped tests, and the numbers at the end.

let isShown = false
for await (const line of createInterface({ input: process.stdin })) {
  if (/^\s*(?:(?:not )?ok |# Subtest)/.test(line)) isShown = line.trimStart().startsWith('not ok')
  if (isShown || / # SKIP/.test(line)) process.stdout.write(`${line}\n`)
  const [, counts] = /^# (\{ total: .*\})/.exec(line) ?? []
  if (counts === undefined) continue
  const numberOf = name => Number(new RegExp(`${name}: (\\d+)`).exec(counts)?.[1] ?? 0)
  process.stdout.write(`${numberOf('pass')} passed, ${numberOf('fail')} failed, ${numberOf('skip')} skipped\n`)
}
