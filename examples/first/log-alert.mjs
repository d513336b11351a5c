/*
 * Prints what is wrong in the log of the service, for cron to mail. Prints nothing if all is well.
 *
 *   journalctl -u 'payment-signature@*' -o short-unix --since -12h | node log-alert.mjs
 *   docker compose logs --no-log-prefix --since 12h one other | node log-alert.mjs
 *
 * Run it once in each quarter of an hour. It reports on the quarter before, so that each line is in one report:
 * - errors, warnings, and texts such as a fault of the start: each kind once, with its number
 * - the third address within four hours that got no signature, if no shopper has got one since; again every four hours
 *   while this lasts. The addresses of an IPv6 /64 count as one. The address of alert.mjs does not count.
 * - shoppers who have the address of alert.mjs, as all have behind a second proxy
 */
import { createInterface } from 'node:readline'

const [fiveMinutes, fourHours] = [5 * 60_000, 16] // in quarters
const quarterOf = time => Math.floor(time / (3 * fiveMinutes))
const quarter = quarterOf(Date.now()) - 1
const isReportedAgain = (quarter + 1) % fourHours === 0
const kinds = new Map() // by text without long numbers: the last text, and the number of lines
const failures = new Map() // by quarter, network and answer: these, the number of requests, and the last time
const signed = new Map() // by network: the last time
const shoppers = new Map() // by quarter: the number of requests without a key
const [probed, gets] = [new Map(), new Map()] // by network: the five minutes with the caller `probe`, or with a GET
const networks = new Set() // two, if there are more
const failed = new Map() // by quarter: a hundred networks, since strangers may have millions

const add = (map, key, number = 1) => map.set(key, (map.get(key) ?? 0) + number)
const addTime = (map, key, time) => map.set(key, (map.get(key) ?? new Set()).add(Math.floor(time / fiveMinutes)))

/** Returns the members of a line of the service. Another text is an error; its indented lines are frames of a stack. */
function parse (text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return { level: /^\S/.test(text) ? 50 : 0, msg: text }
  }
}

/** Returns an address; of IPv6 the /64, whose addresses all belong to one client. */
function networkOf (address = 'unknown') {
  const [, ofIPv4] = /^(?:::ffff:)?([^:]+)$/i.exec(address) ?? []
  if (ofIPv4 !== undefined) return ofIPv4
  const [head, tail = []] = address.split('::').map(words => words.split(':').filter(Boolean))
  const words = address.includes('::') ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head
  return `${words.slice(0, 4).map(word => parseInt(word, 16).toString(16)).join(':')}::/64`
}

let [time, isContainer] = [0, false]
for await (const line of createInterface({ input: process.stdin })) {
  const [, seconds, program, text = line] = /^(\d+\.\d+) \S+ (.+?)(?:\[\d+\])?: (.*)$/.exec(line) ?? []
  if (text.startsWith('-- ')) continue // the journal's own, such as a boot
  isContainer ||= seconds === undefined
  const members = parse(text)
  const { level, msg, cause, err, method, path, statusCode, code, field, reason, clientAddress, caller = 'anonymous' } = members
  time = seconds === undefined ? members.time ?? time : seconds * 1000 // a container's text has that of the line before
  const isFault = level >= 40 && (program !== 'systemd' || /fail|kill|ignor|timed out/i.test(text))
  if (isFault && quarterOf(time) === quarter) {
    const what = [msg, cause ?? err?.code ?? err?.stack?.split('\n')[0]].filter(Boolean).join(': ')
    const kind = what.replaceAll(/\d{4,}/g, '0')
    kinds.set(kind, { what, count: (kinds.get(kind)?.count ?? 0) + 1 })
  }

  const [q, network] = [quarterOf(time), networkOf(clientAddress)]
  if (method === 'GET' && code === 'method-not-allowed') addTime(gets, network, time)
  if (method !== 'POST' || path !== '/api/generate-signature') continue
  if (networks.size < 2) networks.add(network)
  if (caller === 'probe') addTime(probed, network, time)
  if (caller !== 'anonymous' || q > quarter) continue
  add(shoppers, q)
  if (statusCode === 200) signed.set(network, Math.max(time, signed.get(network) ?? 0))
  else if (code !== 'rate-limit') {
    const answer = `${statusCode} ${code}${field ? `; field=${field}` : ''}${reason ? `; reason=${reason}` : ''}`
    const known = failed.get(q) ?? new Set()
    failed.set(q, known.size < 100 ? known.add(network) : known)
    const who = known.has(network) ? network : 'others'
    const { count = 0, last = 0 } = failures.get(`${q} ${who} ${answer}`) ?? {}
    failures.set(`${q} ${who} ${answer}`, { q, network: who, answer, count: count + 1, last: Math.max(time, last) })
  }
}

/** Returns true for the GETs of alert.mjs: one every five minutes since the first. */
function isPaced ([, times]) {
  const first = [...times].reduce((one, other) => Math.min(one, other))
  return times.size >= 3 && times.size > 0.8 * (Math.floor(Date.now() / fiveMinutes) - first)
}

// With a key, nobody else is the caller `probe`. Without one, as with variant B, alert.mjs sends a GET.
const probes = probed.size > 0 ? probed : new Map([...gets].filter(isPaced))
for (const times of probes.values()) for (const time of times) add(shoppers, Math.floor(time / 3), -1) // of alert.mjs

let lastSigned = 0
for (const [network, last] of signed) if (!probes.has(network) && last > lastSigned) lastSigned = last
const since = [...failures.values()].filter(({ network, last }) => !probes.has(network) && last > lastSigned)
const networksOf = some => new Set(some.map(({ network }) => network)).size
const signs = [...new Set(since.map(({ q }) => q))].sort((one, other) => one - other)
  .filter(end => networksOf(since.filter(({ q }) => q > end - fourHours && q <= end)) >= 3)

const lines = [...kinds.values()].map(({ what, count }) => `${count} × ${what}`)
const ago = quarter - fourHours // 12 hours of log have all signs of the last eight
const lasts = isReportedAgain && signs[0] <= ago && signs.at(-1) > ago
if (signs[0] === quarter || lasts) {
  const parts = [['4', 'refused'], ['5', 'failed']].flatMap(([digit, what]) => {
    const answers = new Map()
    for (const { answer, count } of since) if (answer.startsWith(digit)) add(answers, answer, count)
    const [[most] = []] = [...answers].sort(([, one], [, other]) => other - one)
    return most === undefined ? [] : `${[...answers.values()].reduce((sum, n) => sum + n)} ${what} (most often ${most})`
  })
  const isClock = networksOf(since.filter(({ answer }) => answer.endsWith('field=clientTimeStamp'))) >= 3
  lines.push(`requests: ${parts.join(', ')}, none signed: shoppers may be unable to pay` +
    (isClock ? '; likely the clock of this machine is wrong: run timedatectl' : ''))
}
const shared = [...shoppers].flatMap(([q, number]) => number > 0 && q <= quarter ? q : [])
const isNew = shared.length === 6 && shared.includes(quarter) // eight-requests.mjs is run in fewer quarters
const [only] = networks
if (networks.size === 1 && probes.has(only) && shared.length >= 6 && (isNew || isReportedAgain)) {
  lines.push(`all requests have one address, ${only}: set real_ip_header in nginx, or TRUST_PROXY of the service`)
}
if (networks.size === 0) lines.push('no request in the log: does alert.mjs run, is LOG_LEVEL info, and the unit\'s name right?')
const next = 'journalctl -u \'payment-signature@*\' -o cat --since -5h | grep -v \'"level":30.*"statusCode":200\''
if (lines.length > 0) lines.push(`Next: ${isContainer ? 'read the lines of the log without "statusCode":200' : `sudo ${next}`}`)
process.stdout.write(lines.map(line => `${line}\n`).join(''))
