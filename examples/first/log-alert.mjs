/*
 * Prints what is wrong in the log of the service, for cron to mail. Prints nothing if all is well.
 *
 *   journalctl -u 'payment-signature@*' -o short-unix --since -12h | node log-alert.mjs
 *
 * Run it once in each quarter of an hour. It reports on the quarter before, so that each line is in one report:
 * - errors, warnings, and texts such as a fault of the start: each kind once, with its number
 * - the third address within four hours that got no signature, if no shopper has got one since the first; again every
 *   four hours while this lasts. The address of alert.mjs, which sends a GET, does not count.
 */
import { createInterface } from 'node:readline'

const [quarter, fourHours] = [15 * 60_000, 240 * 60_000]
const end = Math.floor(Date.now() / quarter) * quarter
const begin = end - quarter
const kinds = new Map() // by text without long numbers: the last text, and the number of lines
const requests = []
const probes = new Set()

/** Returns the members of a line of the service. Another text is an error; its indented lines are frames of a stack. */
function parse (text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return { level: /^\S/.test(text) ? 50 : 0, msg: text }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [, seconds, program, text = '{}'] = /^(\d+\.\d+) \S+ (.+?)(?:\[\d+\])?: (.*)$/.exec(line) ?? []
  const { level, msg, reason, err, method, path, statusCode, code, ip, caller = 'anonymous' } = parse(text)
  const time = seconds * 1000
  const isFault = level >= 40 && (program !== 'systemd' || /fail|kill|ignor|timed out/i.test(text))
  if (isFault && time >= begin && time < end) {
    const what = [msg, reason ?? err?.code ?? err?.stack?.split('\n')[0]].filter(Boolean).join(': ')
    const kind = what.replaceAll(/\d{4,}/g, '0')
    kinds.set(kind, { what, count: (kinds.get(kind)?.count ?? 0) + 1 })
  }
  if (method === 'GET' && code === 'method-not-allowed') probes.add(ip)
  if (method === 'POST' && path === '/api/generate-signature') requests.push({ time, ip, caller, answer: `${statusCode} ${code}` })
}

// Since the last signature: the number of each answer, the last time of each address, and the times of the sign.
let [answers, addresses, signs] = [{}, new Map(), []]
for (const { time, ip, caller, answer } of requests) {
  if (time >= end || caller !== 'anonymous' || probes.has(ip)) continue
  if (answer.startsWith('200')) [answers, addresses, signs] = [{}, new Map(), []]
  else {
    answers[answer] = (answers[answer] ?? 0) + 1
    addresses.delete(ip) // the oldest come first
    addresses.set(ip, time)
    for (const [ip, last] of addresses) if (last <= time - fourHours) addresses.delete(ip); else break
    if (addresses.size >= 3) signs.push(time)
  }
}

const lines = [...kinds.values()].map(({ what, count }) => `${count} × ${what}`)
const ago = end - fourHours // 12 hours of log have all signs of the last eight
const lasts = end % fourHours === 0 && signs[0] <= ago && signs.at(-1) > ago
if (signs[0] >= begin || lasts) {
  const parts = [[/^4/, 'refused'], [/^5/, 'failed']].flatMap(([pattern, what]) => {
    const found = Object.entries(answers).filter(([answer]) => pattern.test(answer))
    const [[most] = []] = found.sort(([, one], [, other]) => other - one)
    return most === undefined ? [] : `${found.reduce((sum, [, n]) => sum + n, 0)} ${what} (most often ${most})`
  })
  lines.push(`requests: ${parts.join(', ')}, none signed: shoppers may be unable to pay`)
}
if (requests.length === 0) lines.push('no request in the log: does alert.mjs run, is LOG_LEVEL info, and the unit\'s name right?')
if (lines.length > 0) lines.push('Next: sudo journalctl -u \'payment-signature@*\' -o cat --since -5h | grep -v \'"level":30.*"statusCode":200\'')
process.stdout.write(lines.map(line => `${line}\n`).join(''))
