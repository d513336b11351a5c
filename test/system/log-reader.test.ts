import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
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

  /** Fills the pipe: sends requests that are refused, with two lines of log each. */
  async function fill (): Promise<void> {
    const refused = 'POST /api/generate-signature HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n'
    const text = `${refused}\r\n`.repeat(59) + `${refused}Connection: close\r\n\r\n`
    for (let connection = 0; connection < 22; connection++) await exchange(port, text)
  }
  return { child, port, url, fill }
}

/** Resolves with the exit code of a process. */
const exitCode = async (child: ReturnType<typeof spawn>) => (await once(child, 'exit'))[0] as number | null

t.test('a log without a reader stops neither signing nor shutdown', async t => {
  const { child, port, url, fill } = await stalled(t)
  await fill()
  t.same(await sign(port), { signature })
  t.equal((await fetch(`${url}/health`)).status, 200)
  child.kill('SIGTERM')
  t.equal(await exitCode(child), 0)
})

t.test('with AUDIT=required nothing is signed that nobody can read of', async t => {
  const { child, port, url, fill } = await stalled(t, { AUDIT: 'required' })
  await fill()
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
