import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, fstatSync, openSync, statSync } from 'node:fs'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApp } from '../../../../src/embed.js'
import { checkApp } from '../../../../src/check.js'
import { AuditFile, checkAuditFile } from '../../../../src/guards/audit/audit-file.js'
import { Redactor } from '../../../../src/merchants/redactor.js'
import { testApp } from '../../../support/app.js'
import { environment } from '../../../support/environment.js'
import { body } from '../../../support/example.js'
import { temporaryFolder } from '../../../support/scope.js'
import { whole } from '../../../support/whole.js'

/** An audit file, and what it logs. */
function auditFile (t: Test, path: string, token = '') {
  const said: unknown[] = []
  const say = (level: string) => (fields: object, text: string) => { said.push([level, fields, text]) }
  const redactor = new Redactor()
  redactor.hide(token)
  const file = new AuditFile(path, [], { error: say('error'), warn: say('warn') }, redactor)
  t.teardown(() => file.close())
  return { file, said }
}

/** Returns the lines of a file, parsed if they are JSON. */
const linesOf = (path: string): unknown[] => readFileSync(path, 'utf8').split('\n').slice(0, -1).map(line => {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
})
const outage = (path: string, cause: string) => ['error', { file: path, cause }, 'decisions cannot be recorded']
const end = (lost: number) => ['warn', { lost }, 'decisions are recorded again']

t.test('a decision is a line in a file that only its owner may read', async t => {
  process.umask(0)
  const path = join(t.testdir(), 'audit.log')
  const { file, said } = auditFile(t, path, 'canary-token')
  await file.write({ requestId: 'req-1', audit: { orderId: 'canary-token' } })
  const [{ time, ...line }] = linesOf(path) as [{ time: number }]
  t.ok(Math.abs(Date.now() - time) < 60_000)
  t.match(line, { level: 30, pid: process.pid, hostname: String, requestId: 'req-1', audit: { orderId: '[redacted]' }, msg: 'decision' })
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.strictSame([said, file.isStillDown()], [[], false])
})

t.test('the lines of a turn of the event loop are written together, before any response', async t => {
  const path = join(t.testdir(), 'audit.log')
  const { file } = auditFile(t, path)
  const written = [file.write({ a: 1 }), file.write({ a: 2 })]
  t.strictSame(linesOf(path), [])
  await written[0]
  t.match(linesOf(path), [{ a: 1 }, { a: 2 }])
  await file.write({ a: 3 })
  t.match(linesOf(path), [{ a: 1 }, { a: 2 }, { a: 3 }])
})

t.test('a moved, deleted or replaced file is opened again before the next line', async t => {
  const path = join(t.testdir(), 'audit.log')
  const { file, said } = auditFile(t, path)
  await file.write({ a: 1 })
  renameSync(path, `${path}.1`)
  await file.write({ a: 2 })
  t.match([linesOf(`${path}.1`), linesOf(path)], [[{ a: 1 }], [{ a: 2 }]])
  rmSync(path)
  await file.write({ a: 3 })
  t.match(linesOf(path), [{ a: 3 }])
  t.strictSame(said, [])
})

t.test('without a place for its line a decision fails, is never in a deleted file, and is counted', async t => {
  const folder = join(t.testdir({ folder: {} }), 'folder')
  const path = join(folder, 'audit.log')
  const { file, said } = auditFile(t, path)
  const deleted = openSync(path, constants.O_RDONLY)
  renameSync(folder, `${folder}-moved`)
  for (let count = 0; count < 2; count++) await t.rejects(file.write({ a: 1 }), { message: 'ENOENT' })
  t.equal(file.isStillDown(), true)
  writeFileSync(folder, '')
  await t.rejects(file.write({ a: 2 }), { message: 'ENOTDIR' })
  rmSync(folder)
  mkdirSync(path, { recursive: true })
  await t.rejects(file.write({ a: 3 }), { message: 'EISDIR' })
  rmSync(path, { recursive: true })
  spawnSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  await t.rejects(file.write({ a: 4 }), { message: 'it must be a regular file' })
  closeSync(reader)
  rmSync(path)
  t.equal(fstatSync(deleted).size, 0)
  closeSync(deleted)
  t.equal(file.isStillDown(), false, 'a look at the file ends the outage, without a request')
  await file.write({ a: 5 })
  t.match(linesOf(path), [{ level: 40, lost: 5, msg: 'decisions were not recorded' }, { a: 5 }])
  t.strictSame(said, [
    outage(path, 'ENOENT'), outage(path, 'ENOTDIR'), outage(path, 'EISDIR'), outage(path, 'it must be a regular file'), end(5)
  ])
})

t.test('a line that an earlier process has left without its end is ended', async t => {
  const path = join(t.testdir({ 'audit.log': '{"level":30,"ti' }), 'audit.log')
  const { file } = auditFile(t, path)
  await file.write({ a: 1 })
  t.match(linesOf(path), ['{"level":30,"ti', { a: 1 }])
})

/** Runs a function in a folder with 8 KiB of space. Returns false if this user may not mount one. */
async function onSmallDisk (t: Test, run: (folder: string) => Promise<void>): Promise<boolean> {
  const folder = temporaryFolder(t, 'audit-')
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]).status !== 0) return false
  try {
    await run(folder)
  } finally {
    spawnSync('umount', ['-l', folder])
  }
  return true
}

t.test('a full disk: a cut line is ended, and the lost lines are counted', async t => {
  const isMounted = await onSmallDisk(t, async folder => {
    const path = join(folder, 'audit.log')
    const { file, said } = auditFile(t, path)
    const room = join(folder, 'other')
    writeFileSync(room, 'x'.repeat(4096))
    const padding = 'x'.repeat(1500)
    await file.write({ a: 1, padding })
    await file.write({ a: 2, padding })
    await t.rejects(file.write({ a: 3, padding }), { message: 'a line was cut' })
    await t.rejects(file.write({ a: 4, padding }), { message: 'ENOSPC' })
    t.equal(file.isStillDown(), true)
    rmSync(room)
    await file.write({ a: 5, padding })
    const [first, second, cut, ...rest] = linesOf(path)
    t.match([first, second, rest], [{ a: 1 }, { a: 2 }, [{ lost: 2 }, { a: 5 }]])
    t.match(cut, /^\{"level":30,.*"a":3,/)
    t.strictSame(said, [outage(path, 'a line was cut'), outage(path, 'ENOSPC'), end(2)])
    await t.rejects(file.write({ a: 6, padding: padding.repeat(4) }), { message: 'a line was cut' })
    rmSync(path)
    await t.rejects(file.write({ a: 7, padding: padding.repeat(6) }), { message: 'a line was cut' })
    t.match(linesOf(path)[0], { lost: 1 })
    rmSync(path)
    await file.write({ a: 8 })
    t.match(linesOf(path), [{ lost: 1 }, { a: 8 }], 'a report behind which a line is cut counts no line twice')
  })
  if (!isMounted) t.comment('skipped: only root can mount a small disk')
})

t.test('a file that cannot be used stops the start, and a check creates none', async t => {
  const folder = t.testdir({ folder: {} })
  spawnSync('mkfifo', [join(folder, 'pipe')])
  const reader = openSync(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
  t.teardown(() => closeSync(reader))
  for (const [path, reason] of [
    [join(folder, 'nowhere', 'audit.log'), 'ENOENT'], [join(folder, 'folder'), 'EISDIR'],
    [join(folder, 'pipe'), 'it must be a regular file'], ['/dev/full', 'it must be a regular file']
  ] as const) {
    const fault = { code: 'ERR_CONFIGURATION', message: whole(`AUDIT_FILE is "${path}", which cannot be opened (${reason})`) }
    t.throws(() => auditFile(t, path), fault)
    t.throws(() => checkAuditFile(path, []), fault)
  }
  const below = join(folder, 'audit.log')
  writeFileSync(below, '')
  symlinkSync(join(folder, 'nowhere', 'audit.log'), join(folder, 'dangling'))
  for (const name of ['dangling', 'new/', 'x'.repeat(300), 'audit.log/x']) {
    for (const use of [(path: string) => checkAuditFile(path, []), (path: string) => auditFile(t, path)]) t.throws(() => use(join(folder, name)), { code: 'ERR_CONFIGURATION' })
  }
  symlinkSync('new.log', join(folder, 'link'))
  for (const name of ['new.log', 'link', 'audit.log']) checkAuditFile(join(folder, name), [])
  t.notOk(existsSync(join(folder, 'new.log')))
})

t.test('the file is not that of the log', async t => {
  const path = join(t.testdir({ log: '' }), 'log')
  const create = `import { AuditFile, checkAuditFile } from '${new URL('../../../../src/guards/audit/audit-file.js', import.meta.url)}'
    for (const use of [checkAuditFile, (path, others) => new AuditFile(path, others, console, { redact: line => line })]) {
      try { use(process.argv[1], ['/dev/stdout', '/dev/stderr']) } catch ({ message }) { process.send(message) }
    }`
  const log = openSync(path, 'w')
  t.teardown(() => closeSync(log))
  for (const [file, ...stdio] of [['/dev/stdout', log, 'ignore'], ['/dev/stderr', 'ignore', log], [path, log, log]] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', create, file], { stdio: ['ignore', ...stdio, 'ipc'] })
    const said: unknown[] = []
    child.on('message', message => said.push(message))
    await once(child, 'close')
    const fault = `AUDIT_FILE is "${file}", which cannot be opened (it is the log, or a file that the service reads)`
    t.strictSame(said, [fault, fault])
  }
})

const ofShop = (entry: object) => JSON.stringify({ merchants: [{ name: 'shop', accountNumbers: ['102551'], ...entry }] })

for (const [name, setting, file] of [
  ['token', 'MERCHANT_TOKEN_FILE'], ['link', 'MERCHANT_TOKEN_FILE', 'token'], ['policy', 'POLICY_FILE'], ['merchants', 'MERCHANTS_FILE'],
  ['.env', '']
] as const) {
  t.test(`the file is not ${name} of ${setting || 'the working directory'}, and is left alone`, async t => {
    const token = 'canary-token-of-a-shop'
    const callers = [{ name: 'shop', operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '9.00' }]
    const files = { token, policy: JSON.stringify({ callers }), merchants: ofShop({ tokenFile: 'token' }) }
    const variables = { AUDIT_FILE: `./${name}`, ...setting !== '' && { [setting]: `./${file ?? name}` } }
    environment(t, 'VARIANT=A', variables, files)
    symlinkSync('token', 'link')
    const before = readFileSync(name, 'utf8')
    for (const create of [checkApp, createApp]) {
      const app = create({ logger: false })
      t.teardown(() => app.close())
      await t.rejects(async () => app.ready(), {
        code: 'ERR_CONFIGURATION',
        message: whole(`AUDIT_FILE is "./${name}", which cannot be opened (it is the log, or a file that the service reads)`)
      })
    }
    t.equal(readFileSync(name, 'utf8'), before)
  })
}

t.test('a rotation does not make a file both the audit and a token', async t => {
  const folder = t.testdir({ token: 'canary-token-of-a-shop' })
  const [AUDIT_FILE, MERCHANT_TOKEN_FILE] = [join(folder, 'audit.log'), join(folder, 'token')]
  const { app, says } = testApp(t, { config: { AUDIT_FILE, MERCHANT_TOKEN_FILE } })
  const send = async () => (await app.inject({ method: 'POST', url: '/api/generate-signature', payload: JSON.parse(body) })).statusCode
  t.equal(await send(), 200)
  renameSync(AUDIT_FILE, `${AUDIT_FILE}.1`)
  symlinkSync('token', AUDIT_FILE)
  t.equal(await send(), 503)
  await says('"cause":"it is the log, or a file that the service reads","msg":"decisions cannot be recorded"')
  t.equal(readFileSync(join(folder, 'token'), 'utf8'), 'canary-token-of-a-shop')
  rmSync(AUDIT_FILE)
  t.equal(await send(), 200)
  t.equal(linesOf(AUDIT_FILE).length, 2)
  await app.close()
  writeFileSync(AUDIT_FILE, ofShop({ token: 'canary-token-of-a-shop' }))
  t.ok(await testApp(t, { config: { MERCHANTS_FILE: AUDIT_FILE } }).app.ready(), 'it is a file like others after the end')
})
