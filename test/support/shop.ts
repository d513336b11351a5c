import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { substitute } from './documentation.js'
import { run } from './command-line.js'
import { eightCommands, firstPolicy, routeCommands } from './documented.js'
import { root } from './server.js'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export const keys = { office: 'key-of-the-office', shop: 'key-of-the-shop', probe: 'key-of-the-probe' }
const digests = Object.values(keys).map(key => createHash('sha256').update(key).digest('hex'))

/** The policy of the first steps with the digests of {@link keys}. */
export const shopPolicy = firstPolicy.replaceAll(/[0-9a-f]{64}/g, () => digests.shift()!)

/** Cookie of the shopper with the order in examples/frameworks/shop.mjs. */
const shopper = 'session=demo'

/**
 * Runs commands of docs/safe-tonight.md in a folder with the files of examples/first and the key of the probe. `sudo`
 * does nothing, and `systemctl` knows whether the service is enabled. Returns the exit code and the output.
 *
 * @param change - of request.json
 */
async function runFirst (commands: string, change: object, input = '', { isEnabled = true, isSynchronized = 'yes' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'first-'))
  cpSync(join(root, 'examples/first'), folder, { recursive: true })
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ ...JSON.parse(read('examples/first/request.json')), ...change }))
  writeFileSync(join(folder, 'probe-key'), `${keys.probe}\n`)
  writeFileSync(join(folder, 'timedatectl'), `#!/bin/sh\n[ "$*" = 'show --property=NTPSynchronized --value' ] && echo ${isSynchronized}\n`, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` } // without the variables of the test runner
  const program = join(root, 'dist/tools/command-line/payment-signature.js')
  const around = `sudo () { :; }; systemctl () { ${isEnabled}; }; payment-signature () { node ${program} "$@"; }; `
  const running = promisify(execFile)('bash', ['--norc', '-c', around + commands.replaceAll('/etc/payment-signature/', './')], { cwd: folder, env })
  running.child.stdin!.on('error', () => {}).end(input)
  const { stdout, stderr, code = 0 } = await running.catch(error => error)
  rmSync(folder, { recursive: true })
  return { code, output: stdout + stderr }
}

const documentedUrl = 'https://shop.example/payments/api/generate-signature'
const folder = mkdtempSync(join(tmpdir(), 'init-'))
await run(['init', join(folder, 'tonight'), '--shop', 'https://shop.example', '--account-numbers', '102551', '--maximum-amount', '500.00'])
/** The lines of cron that `init` makes. */
const cronLines = readFileSync(join(folder, 'tonight/etc/cron.d/payment-signature'), 'utf8')
rmSync(folder, { recursive: true })

const [alertCommand = '', logCommand = ''] = [...cronLines.matchAll(/ payment-alert (.*)/g)].map(([, command]) => command)

const [askForSessions = '', ...askRoute] = routeCommands.split(/(?<=\n)/)

/** Sends the eight requests. */
export const eightRequests = (url: string, { key = keys.office, cookie = shopper, other = 'session=other', change = {} } = {}) =>
  runFirst(askForSessions + substitute(eightCommands, { [documentedUrl]: url }), change, `${cookie}\n${other}\n${key}\n`)

/** Asks the shop's route behind a port of nginx, with the sessions of its customers. */
export const doctor = (door: number, { cookie = shopper, other = 'session=other', change = {} } = {}) =>
  runFirst(askForSessions + substitute(askRoute.join(''), { 'http://127.0.0.1:3081': `http://127.0.0.1:${door}` }), change, `${cookie}\n${other}\nkey\n`)

/** A command of the shell, after which programs of Node.js have another time. */
const clockAt = (now: number): string => `node () { command node --import 'data:text/javascript,Date.now = () => ${now}' "$@"; }`

/** Sends the requests of the alert, as cron does. Variant B has no key. */
export const alert = (
  url: string, { keyFile = '/etc/payment-signature/probe-key', change = {}, now = 0, isSynchronized = 'yes', isEnabled = true } = {}
) => runFirst(
  `${clockAt(now)}; ${substitute(alertCommand, { [documentedUrl]: url, '/etc/payment-signature/probe-key': keyFile })}`,
  change, '', { isEnabled, isSynchronized })

/** A line of the journal: the time in milliseconds, the text, and the program that wrote it. */
type JournalLine = readonly [time: number, text: string, program?: string | undefined]

/** Searches the journal at a time, as cron does. */
export function logAlert (now: number, journal: readonly JournalLine[]) {
  const lines = journal.map(([time, text, program = 'node[17]']) => `${(time / 1000).toFixed(6)} shop ${program}: ${text}\n`)
  return logAlertOf(now, `-- Boot 5b3c --\n${lines.join('')}`)
}

/** Searches a log at a time, as cron does. */
export const logAlertOf = (now: number, log: string) =>
  runFirst(`${clockAt(now)}; journalctl () { cat; }; ${logCommand}`, {}, log)
