import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { scripted } from '../support/backend.js'
import { calls } from '../support/documented.js'
import { signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'

t.jobs = 2

const languages = {
  'Node.js': ['call.mjs', process.execPath],
  Python: ['call.py', 'python3'],
  PHP: ['call.php', 'php', '-n'],
  Go: ['call.go', 'go', 'run'],
  Java: ['Call.java', 'java']
} as const

for (const [name, [file, program, ...args]] of Object.entries(languages)) {
  t.test(`the call from ${name}`, { skip: lacking(program), jobs: 5 }, async t => {
    const call = (t: Test, url: string, source = calls[name as keyof typeof calls], variables = {}) => {
      const path = join(t.testdir(), file)
      writeFileSync(path, source)
      const env = { ...process.env, SIGNATURE_URL: url, GO111MODULE: 'off', ...variables }
      return new Promise<{ code: unknown, stdout: string, stderr: string }>(resolve => {
        execFile(program, [...args, path], { env, timeout: 60_000 }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, stdout, stderr }))
      })
    }

    t.test('gets a signature from the service', async t => {
      const { app } = testApp(t)
      t.match(await call(t, `http://127.0.0.1:${await portOf(app)}/api/generate-signature`), { code: 0, stdout: `${signature}\n` })
    })

    t.test('repeats the same request after a time-out, a 429 and a 503', async t => {
      const { url, bodies, times, authorizations } = await scripted(t, 'none', [429, { 'Retry-After': 1 }, '{"error":"slow"}'],
        [503, { 'Retry-After': 2 }, '{"error":"overloaded"}'], [200, { 'content-type': 'application/json' }, JSON.stringify({ signature })])
      t.match(await call(t, url, undefined, { SIGNATURE_KEY: '' }), { code: 0, stdout: `${signature}\n` })
      t.equal(bodies.length, 4)
      t.equal(new Set(bodies).size, 1)
      t.strictSame(new Set(authorizations), new Set([undefined]), 'no Authorization with an empty key')
      t.ok(times[2]! - times[1]! >= 990, 'waits a second')
      t.ok(times[3]! - times[2]! >= 1990, 'waits two seconds')
    })

    t.test('repeats after a response that stops, breaks off or is not UTF-8', async t => {
      const cut = { 'Content-Length': 100, Connection: 'close' }
      const { url, bodies } = await scripted(t, 'stalled', [200, cut, '{"sign'], [503, cut, '{"error'],
        [502, { 'X-Request-Id': 'id-4' }, Buffer.of(0xff)])
      const failed = await call(t, url)
      t.not(failed.code, 0)
      t.match(failed.stdout + failed.stderr, /502.* id-4: /)
      t.equal(bodies.length, 4)
    })

    t.test('fails without a repetition after a 200 without a signature', async t => {
      for (const text of ['<html>Log in</html>', JSON.stringify({ signature: `${signature}0` })]) {
        const { url, bodies } = await scripted(t, [200, { 'X-Request-Id': 'id-1' }, text])
        const failed = await call(t, url)
        t.not(failed.code, 0)
        t.match(failed.stdout + failed.stderr, `id-1: ${text}`)
        t.equal(bodies.length, 1)
      }
    })

    t.test('sends its API key, and repeats after a Retry-After with a date', async t => {
      const { url, authorizations } = await scripted(t, [503, { 'Retry-After': 'Wed, 21 Oct 2099 07:28:00 GMT' }, ''],
        [200, { 'content-type': 'application/json' }, `{ "signature" : "${signature}" }`])
      t.match(await call(t, url, undefined, { SIGNATURE_KEY: 'key-of-the-office' }), { code: 0, stdout: `${signature}\n` })
      t.strictSame(authorizations, ['Bearer key-of-the-office', 'Bearer key-of-the-office'])
    })

    t.test('sends its API key to no other host', async t => {
      const other = await scripted(t, [200, {}, '<html>Log in</html>'])
      const { url } = await scripted(t, [302, { Location: other.url.replace('127.0.0.1', 'localhost') }, ''])
      t.not((await call(t, url, undefined, { SIGNATURE_KEY: 'key-of-the-office' })).code, 0)
      t.notMatch(other.authorizations, ['Bearer key-of-the-office'])
    })

    t.test('does not repeat a request that cannot succeed', async t => {
      const { app } = testApp(t)
      const url = `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
      let count = 0
      app.server.on('request', () => count++)
      const refused = await call(t, url, calls[name as keyof typeof calls].replace('100.00', '0.00'))
      t.not(refused.code, 0)
      t.match(refused.stdout + refused.stderr, /400,? amount-not-positive; field=amount[^:]*: \{"error":"Invalid amount/)
      t.equal(count, 1)
    })

    t.test('does not repeat a 429 without Retry-After, with which the backend refuses', async t => {
      const { url, bodies } = await scripted(t, [429, { 'Error-Code': 'refused', 'X-Request-Id': 'id-1' }, '{"error":"too many orders"}'])
      const refused = await call(t, url)
      t.not(refused.code, 0)
      t.match(refused.stdout + refused.stderr, /429,? refused,? id-1: \{"error":"too many orders"\}/)
      t.equal(bodies.length, 1)
    })

    t.test('gives up after a long Retry-After, and if nothing listens', async t => {
      const { url, bodies } = await scripted(t, [429, { 'Retry-After': 600 }, '{"error":"much too slow"}'])
      const late = await call(t, url)
      t.not(late.code, 0)
      t.match(late.stdout + late.stderr, 'much too slow')
      t.equal(bodies.length, 1)
      const refused = await call(t, `http://127.0.0.1:${await freePort()}/`)
      t.not(refused.code, 0)
      t.match(refused.stdout + refused.stderr, /refused|fetch failed|ConnectException/i)
      t.equal(refused.stdout.includes('///'), false)
    })
  })
}
