import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { substitute } from '../support/documentation.js'
import { production, sign } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { lacking } from '../support/installed.js'
import { root, start } from '../support/server.js'

const unit = 'payment-signature@.service'
const path = join(root, 'deploy', unit)
const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

const withoutSystemd = lacking('systemd-analyze')

t.test('the unit is valid, and its exposure is at most 2.0', { skip: withoutSystemd }, async t => {
  const copy = join(t.testdir(), unit) // beside other units, their warnings would be printed, too
  writeFileSync(copy, substitute(readFileSync(path, 'utf8'), { '/opt/payment-signature/node_modules/.bin/payment-signature': process.execPath })) // not installed here
  const valid = run('systemd-analyze', 'verify', copy)
  t.strictSame([valid.status, valid.stderr], [0, ''])
  const safe = run('systemd-analyze', 'security', '--offline=true', '--threshold=20', path)
  t.equal(safe.status, 0, safe.stdout)
})

/** Returns the values of all lines NAME= of instance 1, with the specifiers of instance and credentials resolved. */
function settingOf (name: string): string {
  const text = readFileSync(path, 'utf8').replaceAll('%i', '1').replaceAll('%d', `/run/credentials/${unit}`)
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value).join(' ')
}

t.test('journald drops no lines of the unit', async t => {
  t.equal(settingOf('LogRateLimitIntervalSec'), '0')
})

t.test('the documented check of the variables sets those of the unit', async t => {
  const namesIn = (text: string) => [...text.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name)
  const [command = ''] = /^sudo systemd-run [^]*?--check$/m.exec(readFileSync(join(root, 'docs/deploy.md'), 'utf8')) ?? []
  t.match(command, ' -p EnvironmentFile=/etc/payment-signature/environment ')
  t.strictSame(namesIn(command), namesIn(settingOf('Environment')).filter(name => !/PORT|DELAY/.test(name!)))
})

const cannotSandbox = withoutSystemd || lacking('socat', 'systemd-notify', 'python3') ||
  (run('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/opt').status !== 0 && 'takes root') ||
  (run('python3', '-c', 'import ctypes; ctypes.CDLL("libseccomp.so.2")').status !== 0 && 'takes libseccomp')

t.test('ExecStart signs in the sandbox, reports its states, and ignores SIGHUP', { skip: cannotSandbox }, async t => {
  const variables = settingOf('Environment')
  t.match(variables, ' PORT=3001 ADMIN_PORT=9461 ')
  t.match(variables, ' AUDIT_FILE=/var/log/payment-signature/audit-1.log')
  const token = join(t.testdir(), 'token')
  writeFileSync(token, `${production.token}\n`)
  // Receives states as systemd does. The socket is abstract, so that a sandbox can reach it.
  const socket = `payment-signature-${process.pid}`
  const states = start(t, 'socat', ['-d', '-d', '-u', `ABSTRACT-RECV:${socket}`, '-'], { cwd: root, env: { PATH: process.env.PATH } })
  await states.says(/starting data transfer/)

  // The parts of the sandbox that work without systemd, which would make the folder of the audit.
  const service = start(t, 'unshare', [
    '--mount', 'python3', join(root, 'test/support/sandboxed.py'), path, root, process.execPath, token, '/usr/bin/env', '-i',
    ...variables.split(' '), 'PATH=/opt/bin:/usr/bin:/bin', `NOTIFY_SOCKET=@${socket}`, 'PORT=0', `ADMIN_PORT=${await freePort()}`, 'AUDIT=true', 'AUDIT_FILE=', 'SHUTDOWN_DELAY=0',
    ...settingOf('ExecStart').split(' ')
  ], { cwd: root, env: { PATH: process.env.PATH } })
  const [, port = '', source] = await service.says(/listening at http:\/\/[\w.]+:(\d+).*token from (.*?), /)
  await states.says(/READY=1/)
  t.equal(source, `MERCHANT_TOKEN_FILE (/run/credentials/${unit}/merchant-token)`)
  t.same(await sign(port, production.body), { signature: production.signature })

  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  for (const line of [
    /^Uid:\t61184\t61184/m, /^CapEff:\t0+$/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m
  ]) t.match(status, line)
  service.process.kill('SIGHUP')
  t.same(await sign(port, production.body), { signature: production.signature })
  service.process.kill('SIGTERM')
  await states.says(/STOPPING=1/)
  t.equal(await service.ended, 0)
})
