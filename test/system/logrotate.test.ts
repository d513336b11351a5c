import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { substitute } from '../support/documentation.js'
import { logrotate } from '../support/documented.js'
import { sign, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { listening, server } from '../support/server.js'

const PATH = `${process.env.PATH}:/usr/sbin`

t.test('the documented rotation compresses, removes the oldest file, and loses no audit line', { skip: lacking('logrotate') }, async t => {
  const folder = t.testdir({ logs: {} })
  const logs = join(folder, 'logs')
  const path = join(logs, 'audit-1.log')
  const service = server(t, { AUDIT: 'required', AUDIT_FILE: path })
  const [, port = ''] = await service.says(listening)
  // Follows the global options of other distributions.
  writeFileSync(join(folder, 'logrotate'), 'dateext\ncreate\n' + substitute(logrotate, { '/var/log/payment-signature': logs }), { mode: 0o600 })
  // Stands for systemctl, with this process in the unit.
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\necho "$*" >> ${folder}/calls\nkill -HUP ${service.process.pid}\n`, { mode: 0o755 })
  writeFileSync(`${path}.1`, 'day 1\n')
  for (let day = 2; day <= 90; day++) writeFileSync(`${path}.${day}.gz`, gzipSync(`day ${day}\n`))
  const names = ['audit-1.log', 'audit-1.log.1', ...Array.from({ length: 89 }, (_, n) => `audit-1.log.${n + 2}.gz`)].sort()

  let signed = 0
  const rotated = new AbortController()
  const signOne = async () => { if ((await sign(port) as { signature: string }).signature === signature) signed++ }
  const client = async () => { while (!rotated.signal.aborted) await signOne() }
  await signOne()
  const clients = [client(), client(), client()]
  for (let rotation = 1; rotation <= 6; rotation++) {
    await t.resolveMatch(promisify(execFile)('logrotate', ['--force', '--state', join(folder, 'state'), join(folder, 'logrotate')],
      { env: { PATH: `${folder}:${PATH}` } }), { stderr: '' })
    do await signOne()
    while (!statSync(path, { throwIfNoEntry: false })?.size) // until the service writes to the new file
    t.strictSame(readdirSync(logs).sort(), names)
  }
  rotated.abort()
  await Promise.all(clients)
  await service.terminate() // otherwise it writes to the folder that the test removes
  const texts = names.map(name => readFileSync(join(logs, name)))
    .map(bytes => bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)
  t.equal(texts.join('').split('"msg":"decision"').length - 1, signed)
  t.strictSame(texts.join('').match(/^day \d+$/gm)?.map(line => Number(line.slice(4))).sort((a, b) => a - b),
    Array.from({ length: 84 }, (_, n) => n + 1))
  t.equal(readFileSync(join(folder, 'calls'), 'utf8'), 'kill --signal HUP --kill-who main payment-signature@*\n'.repeat(6))
})
