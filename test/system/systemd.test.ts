import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import { answering, serve } from '../support/backend.js'
import { body, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { importing, root, server, start, type Server } from '../support/server.js'

const unit = 'payment-signature@.service'
const path = join(root, 'deploy/systemd', unit)
const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: 'utf8' })

const withoutSystemd = lacking('systemd-analyze')

t.test('the unit is valid, also with the drop-in for merchants, and its exposure is at most 2.0', { skip: withoutSystemd }, async t => {
  const copy = join(t.testdir(), unit)
  mkdirSync(`${copy}.d`)
  copyFileSync(path, copy)
  for (const withMerchants of [false, true]) {
    if (withMerchants) copyFileSync(join(root, 'deploy/systemd/merchants.conf'), `${copy}.d/merchants.conf`)
    const valid = run('systemd-analyze', 'verify', copy)
    t.strictSame([valid.status, valid.stderr], [0, ''])
  }
  const safe = run('systemd-analyze', 'security', '--offline=true', '--threshold=20', path)
  t.equal(safe.status, 0, safe.stdout)
})

const cannotMount = run('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/opt').status !== 0 && 'takes root'
const cannotFilter = run('python3', '-c', 'import ctypes; ctypes.CDLL("libseccomp.so.2")').status !== 0 &&
  'takes python3 and libseccomp'

/** Returns the values of all lines NAME= of instance 1, with the specifiers of instance and credentials resolved. */
function settingOf (name: string): string[] {
  const text = readFileSync(path, 'utf8').replaceAll('%i', '1').replaceAll('%d', `/run/credentials/${unit}`)
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** Runs ExecStart with the unit's variables and others, in the parts of its sandbox that work without systemd. */
function sandboxed (t: Test, variables: Record<string, string>) {
  const token = join(t.testdir(), 'token')
  writeFileSync(token, 'tK7-mQ2xV9/bR4+wZ1-0123456789-abc\n')
  const [program, ...rest] = String(settingOf('ExecStart')[0]).split(' ')
  t.equal(program, 'node')
  const environment = [
    ...settingOf('Environment').join(' ').split(' '),
    ...Object.entries(variables).map(entry => entry.join('='))
  ]
  return start(t, 'unshare', [
    '--mount', 'python3', join(root, 'test/support/sandboxed.py'), path, root, process.execPath, token,
    '/usr/bin/env', '-i', ...environment, '/opt/node', ...rest
  ], { cwd: root, env: { PATH: process.env.PATH } })
}

const cannotNotify = lacking('socat', 'systemd-notify')

/** Opens a socket that receives states as systemd does. It is abstract, so that a sandbox can reach it. */
async function notifySocket (t: Test): Promise<{ socket: string, states: Server }> {
  const name = `payment-signature-${process.pid}-${t.name.length}`
  const states = start(t, 'socat', ['-d', '-d', '-u', `ABSTRACT-RECV:${name}`, '-'], { cwd: root, env: { PATH: process.env.PATH } })
  await states.says(/starting data transfer/)
  return { socket: `@${name}`, states }
}

t.test('it signs in the sandbox, with its own ports, audit and credential', { skip: withoutSystemd || cannotMount || cannotFilter }, async t => {
  const { origin } = await serve(t, answering(200, '{"allowed":true}', { 'content-type': 'application/json' }))
  const environment = settingOf('Environment').join(' ')
  t.match(environment, ' PORT=3001 ADMIN_PORT=9461 ')
  t.match(environment, ' AUDIT=required AUDIT_FILE=/var/log/payment-signature/audit-1.log')
  const notify = cannotNotify ? undefined : await notifySocket(t)
  const service = sandboxed(t, {
    ...notify && { NOTIFY_SOCKET: notify.socket },
    PORT: '0',
    ADMIN_PORT: '0',
    AUDIT_FILE: '', // systemd makes its folder
    SHUTDOWN_DELAY: '0',
    AUTHORIZE_URL: origin.replace('127.0.0.1', 'localhost')
  })
  const [, url, source, metrics] = await service.says(
    /listening at (\S+?)(?: and \S+)?, .*token from (.*?), .*metrics at (\S+?)\/metrics/)
  await notify?.states.says(/READY=1/)
  t.equal(source, `MERCHANT_TOKEN_FILE (/run/credentials/${unit}/merchant-token)`)
  t.equal((await fetch(`${metrics}/ready`)).status, 200)
  const response = await fetch(`${url}/api/generate-signature`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body
  })
  t.equal(response.status, 200, 'the backend was asked')
  t.not((await response.json() as { signature: string }).signature, signature, 'with the token of the credential')

  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  for (const line of [
    /^Uid:\t61184\t61184/m, /^CapEff:\t0+$/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m
  ]) t.match(status, line)
  service.process.kill('SIGHUP') // the command of ExecReload
  await service.says(/the merchant token is unchanged/)
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 0)
})

t.test('a blocked event loop sends no watchdog message', { skip: cannotNotify }, async t => {
  const { socket, states } = await notifySocket(t)
  const blocking = importing('process.on("SIGUSR2", () => { process.stderr.write("blocked\\n"); for (;;); })')
  const service = server(t, { PATH: String(process.env.PATH), NOTIFY_SOCKET: socket, WATCHDOG_USEC: '200000' }, { nodeOptions: [blocking] })
  await states.says(/WATCHDOG=1[^]*WATCHDOG=1/)
  service.process.kill('SIGUSR2')
  await service.says(/blocked/)
  await wait(500) // receives messages that were sent before
  const sent = states.output()
  await wait(1000)
  t.equal(states.output(), sent)
})
