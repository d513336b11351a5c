import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { substitute } from '../support/documentation.js'
import { logrotate } from '../support/documented.js'
import { sign, signature } from '../support/example.js'
import { lacking, pathOf } from '../support/installed.js'
import { listening, server } from '../support/server.js'

t.test('the documented rotation compresses, removes the oldest file, and loses no audit line', { skip: lacking('logrotate') }, async t => {
  const folder = t.testdir({ logs: {} })
  const logs = join(folder, 'logs')
  const path = join(logs, 'audit-1.log')
  const configuration = join(folder, 'logrotate')
  // Follows the global options of other distributions.
  writeFileSync(configuration, 'dateext\ncreate\n' + substitute(logrotate, { '/var/log/payment-signature': logs }), { mode: 0o600 })
  const rotate = () => promisify(execFile)(String(pathOf('logrotate')), ['--force', '--state', join(folder, 'state'), configuration])
  writeFileSync(`${path}.1`, 'day 1\n')
  for (let day = 2; day <= 90; day++) writeFileSync(`${path}.${day}.gz`, gzipSync(`day ${day}\n`))

  const service = server(t, { AUDIT_FILE: path })
  const [, port = ''] = await service.says(listening)
  let signed = 0
  const signOne = async () => { if ((await sign(port) as { signature: string }).signature === signature) signed++ }
  const rotated = new AbortController()
  const client = async () => { while (!rotated.signal.aborted) await signOne() }
  await signOne()
  const clients = [client(), client(), client()]
  for (let rotation = 1; rotation <= 3; rotation++) {
    t.match(await rotate(), { stderr: '' })
    do await signOne()
    while (!statSync(path, { throwIfNoEntry: false })?.size) // until the service writes to the new file
  }
  rotated.abort()
  await Promise.all(clients)
  await service.terminate() // otherwise it writes to the folder that the test removes

  const names = readdirSync(logs)
  t.strictSame(names.sort(), ['audit-1.log', 'audit-1.log.1', ...Array.from({ length: 89 }, (_, n) => `audit-1.log.${n + 2}.gz`)].sort())
  const text = names.map(name => readFileSync(join(logs, name)))
    .map(bytes => bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).join('')
  t.equal(text.split('"msg":"decision"').length - 1, signed)
  t.ok(text.includes('day 87\n'))
  t.notOk(text.includes('day 88\n'))
})
