import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sign, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { exchange } from '../support/http.js'
import { root } from '../support/server.js'

/** Starts a service whose standard output is a pipe without a reader until `read` is called. */
async function stalled (t: Test, variables: Record<string, string> = {}) {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...variables }
  const child = spawn(process.execPath, [join(root, 'dist/src/server.js')], {
    cwd: t.testdir(), env, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const isUp = () => fetch(`${url}/health`).then(({ ok }) => ok, () => false)
  while (!await isUp());

  /** Sends requests that are refused, with two lines of log each, and returns their number. */
  async function fill (megabytes: number): Promise<number> {
    const perConnection = 60
    const refused = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n'
    const text = `${refused}\r\n`.repeat(perConnection - 1) + `${refused}Connection: close\r\n\r\n`
    let sent = 0
    for (; sent * 380 < megabytes * 1e6; sent += perConnection) await exchange(port, text)
    return sent
  }
  return { child, port, url, fill }
}

/** Sends all requests and reads all responses, at any state of the log's reader. */
const exitCode = async (child: ReturnType<typeof spawn>) => (await once(child, 'exit'))[0] as number | null

t.test('a log without a reader stops neither signing nor shutdown', async t => {
  const { child, port, url, fill } = await stalled(t)
  await fill(0.5)
  t.same(await sign(port), { signature })
  t.equal((await fetch(`${url}/health`)).status, 200)
  child.kill('SIGTERM')
  t.equal(await exitCode(child), 0)
})

t.test('log lines beyond the buffer are dropped whole, and counted', async t => {
  const { child, port, fill } = await stalled(t)
  const sent = await fill(5)
  t.same(await sign(port), { signature })
  const log = text(child.stdout)
  let said = ''
  child.stdout.on('data', chunk => {
    said = (said + chunk).slice(-100_000)
    if (said.includes('lines of the log were lost')) child.kill('SIGTERM')
  })
  t.equal(await exitCode(child), 0)
  const lines = (await log).trimEnd().split('\n').map(line => JSON.parse(line))
  const losses = lines.filter(({ msg }) => msg.startsWith('lines of the log were lost'))
  t.equal(losses.length, 1)
  const refused = lines.filter(({ msg }) => msg === 'request refused').length
  const completed = lines.filter(({ msg }) => msg === 'request completed').length
  t.equal(refused + completed + losses[0].lost, 2 * sent + 1)
})

t.test('with AUDIT=required nothing is signed that nobody can read of', async t => {
  const { child, port, url, fill } = await stalled(t, { AUDIT: 'required' })
  await fill(0.5)
  t.same(await sign(port), { error: 'Audit is unavailable, try again' })
  const ready = await fetch(`${url}/ready`)
  t.equal(ready.status, 503)
  t.same(await ready.json(), { error: 'audit unavailable' })

  child.stdout.resume()
  const isReady = () => fetch(`${url}/ready`).then(({ ok }) => ok)
  while (!await isReady());
  t.same(await sign(port), { signature })
  child.kill('SIGTERM')
  t.equal(await exitCode(child), 0)
})
