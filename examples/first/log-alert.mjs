/*
 * Prints what is wrong in the last hour of the service's log, for cron to mail. Prints nothing if all is well.
 *
 *   journalctl -u 'payment-signature@*' -o cat --since -60min | node log-alert.mjs
 *
 * Run it every 15 minutes. It prints the errors of these minutes, each kind of warning once, and the number of refused
 * requests since the last signature for a shopper, if they are five or more. Of one address only three count, because
 * of bots at night. Each request with an API key makes up for a refusal of its address: alert.mjs sends both.
 */
import { createInterface } from 'node:readline'

const begin = Date.now() - 15 * 60_000
const printed = new Set()
const clients = new Map() // by address: the refusals, and the number of requests with a key
let isAsked = false

/** Parses a line. Those of systemd are no JSON. */
function parse (text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

for await (const text of createInterface({ input: process.stdin })) {
  const { level, time, msg, method, path, statusCode, code, ip, caller = 'anonymous' } = parse(text)
  const kind = level < 50 ? msg : text
  if (level >= 40 && time >= begin && !printed.has(kind)) {
    printed.add(kind)
    process.stdout.write(`${text}\n`)
  }
  if (msg !== 'request completed' || method !== 'POST' || path !== '/api/generate-signature') continue
  isAsked = true
  const client = clients.get(ip) ?? { refusals: [], keyed: 0 }
  clients.set(ip, client)
  if (caller !== 'anonymous') client.keyed++
  else if (statusCode >= 400) client.refusals.push(`${statusCode} ${code}`)
  else clients.clear()
}

if (!isAsked) process.stdout.write('no request in the log: does alert.mjs run, and is LOG_LEVEL info?\n')
const refusals = [...clients.values()]
  .flatMap(({ refusals, keyed }) => keyed > 0 ? refusals.slice(keyed) : refusals.slice(0, 3))
if (refusals.length >= 5) {
  const counts = {}
  for (const refusal of refusals) counts[refusal] = (counts[refusal] ?? 0) + 1
  const [[most]] = Object.entries(counts).sort(([, one], [, other]) => other - one)
  process.stdout.write(`${refusals.length} requests were refused (most often ${most}), none was signed: ` +
    'shoppers may be unable to pay\n')
}
