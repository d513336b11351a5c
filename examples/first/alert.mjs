/*
 * Prints what is wrong with a signing endpoint, for cron to mail. Prints nothing if all is well.
 *
 *   node alert.mjs URL [KEY_FILE]
 *
 * Sends the purchase of the request.json beside this script without a session. KEY_FILE has the API key of the caller
 * `probe`, which may inquire: with it, sends an inquiry, too. Variant B has no inquiries. Once an hour, it also checks
 * that the clock of this machine is synchronized.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, keyFile] = process.argv.slice(2)

/** Returns true if a body begins with a signature. Reads only its beginning. */
async function isSigned (body) {
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > 200) break
  }
  return /^\{"signature":"[0-9a-f]{64}\/\/\/[0-9a-f]{64}"\}/.test(text)
}

/** Sends a request. Returns its status with the result, or the error of the network or of TLS. */
async function answer (method, headers, request) {
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000)
    })
    if (response.status === 200) return `200 ${await isSigned(response.body) ? 'signed' : 'without a signature'}`
    await response.body?.cancel()
    return `${response.status} ${response.headers.get('error-code') ?? 'without an Error-Code'}`
  } catch (error) {
    return `no answer, ${error.cause?.code ?? error.name}`
  }
}

/** Returns the meaning of an answer to a stranger's purchase or to an inquiry. */
function meaningOf (actual, isPurchase) {
  if (isPurchase && actual === '200 signed') return 'EVERYBODY GETS SIGNATURES'
  if (actual === '429 rate-limit') return 'the limit of this address is reached; shoppers have other addresses'
  return 'shoppers may be unable to pay; read status and log of the service'
}

/** Returns a line if systemd reports that nothing sets the clock: a clock that is days behind refuses all purchases. */
function clockFaults () {
  const { stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { encoding: 'utf8', timeout: 5000 })
  return stdout?.trim() === 'no' ? ['the clock of this machine is not synchronized: run timedatectl\n'] : []
}

/** Returns a line for each request that has another answer than expected. */
async function faults () {
  const file = new URL('request.json', import.meta.url)
  const purchase = { ...JSON.parse(readFileSync(file, 'utf8')), sid: randomUUID(), clientTimeStamp: 1_000_000_000_000 }
  const { amount, orderId, ...common } = purchase
  const inquiry = { ...common, operationType: 'inquiry', idType: 'ORDER_ID', transactionId: 'payment-signature-probe' }
  const checks = [['a stranger\'s purchase', {}, purchase, '401 refused']]
  if (keyFile !== undefined) {
    const key = readFileSync(keyFile, 'utf8').trim()
    checks.push(['an inquiry with the key', { authorization: `Bearer ${key}` }, inquiry, '200 signed'])
  } else {
    await answer('GET', {}) // log-alert.mjs leaves out the address that sends it every five minutes
  }
  const { origin, pathname } = new URL(url) // without a password
  const lines = []
  for (const [what, headers, request, expected] of checks) {
    const actual = await answer('POST', headers, request)
    if (actual.split(';')[0] === expected) continue
    lines.push(`${origin}${pathname}: ${what} got ${actual}, expected ${expected}: ${meaningOf(actual, request === purchase)}\n`)
  }
  return lines
}

if (URL.canParse(url)) {
  const lines = await faults().catch(error => [`alert.mjs: ${error.message}\n`])
  if (Date.now() % 3_600_000 < 300_000) lines.push(...clockFaults())
  process.stdout.write(lines.join(''))
  if (lines.length > 0) process.exitCode = 1
} else {
  process.stderr.write('usage: node alert.mjs URL [KEY_FILE]\n')
  process.exitCode = 2
}
