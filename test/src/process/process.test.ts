import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import tty from 'node:tty'
import t, { type Test } from 'tap'
import { feedWatchdog, notifySystemd } from '../../../src/process/systemd.js'
import { WatchedFile } from '../../../src/process/watched-file.js'

/** A file whose readings the test ends. `begun` resolves when `count` readings have begun. */
function watched (t: Test, use = () => true) {
  const readings: Array<{ resolve (content: string): void, reject (error: Error): void }> = []
  const begun = async (count: number) => { while (readings.length < count) await setImmediate() }
  const said: string[] = []
  const used: string[] = []
  const counted: string[] = []
  const file = new WatchedFile<string>({
    path: join(t.testdir({ file: '' }), 'file'),
    setting: 'FILE',
    name: 'content',
    state: () => `state ${used.length}`,
    read: () => new Promise((resolve, reject) => { readings.push({ resolve, reject }) }),
    use (content) {
      used.push(content)
      return use()
    },
    count: result => { counted.push(result) }
  }, { info: say, error: say })
  function say (message: string): void { said.push(message) }
  return { file, readings, begun, said, used, counted }
}

t.test('a reading that ends after close is neither used nor logged', async t => {
  for (const outcome of ['resolve', 'reject'] as const) {
    const { file, readings, begun, said, used, counted } = watched(t)
    const reading = file.reload()
    await begun(1)
    const closed = file.close()
    if (outcome === 'resolve') readings[0]?.resolve('new')
    else readings[0]?.reject(new Error('faulty'))
    await Promise.all([reading, closed])
    await file.reload()
    t.equal(readings.length, 1)
    t.strictSame([...said, ...used, ...counted], [])
  }
})

t.test('readings do not overlap', async t => {
  const { file, readings, begun, used } = watched(t)
  const both = [file.reload(), file.reload()]
  await begun(1)
  await setImmediate()
  t.equal(readings.length, 1)
  readings[0]?.resolve('older')
  await both[0]
  await begun(2)
  readings[1]?.resolve('newer')
  await both[1]
  t.strictSame(used, ['older', 'newer'])
})

t.test('a slow file is not polled again before it is read', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { file, readings, begun, used } = watched(t)
  await file.watch(10)
  mock.timers.tick(50)
  await begun(1)
  const asked = file.reload() // behind the polls that wait
  readings[0]?.resolve('new')
  await begun(2)
  readings[1]?.resolve('newer')
  await asked
  t.equal(readings.length, 2)
  await setImmediate()
  mock.timers.tick(10)
  await begun(3)
  readings[2]?.resolve('newest')
  await file.close()
  t.equal(used.length, 2)
})

t.test('unusable content is a fault, and the next content is read', async t => {
  let isUsable = false
  const { file, readings, begun, said, counted } = watched(t, () => {
    if (!isUsable) throw new Error('not usable')
    return false
  })
  for (const isAsked of [true, false]) {
    const reading = file.reload(isAsked)
    await begun(isAsked ? 1 : 2)
    readings.at(-1)?.resolve('new')
    await reading
    isUsable = true
  }
  t.strictSame(said, ['not usable; keeping the current content, state 1', 'the content is unchanged, state 2'])
  t.strictSame(counted, ['failed', 'unchanged'])
})

t.test('a reading that hangs fails after 2 s; two may hang, and the exit does not wait for them', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { file, readings, begun, said, used, counted } = watched(t)
  for (const count of [1, 2]) {
    const reading = file.reload()
    await begun(count)
    mock.timers.tick(1_999)
    await setImmediate()
    t.equal(counted.length, count - 1)
    mock.timers.tick(1)
    await reading
  }
  await file.reload()
  t.equal(process.listeners('exit').filter(({ name }) => name.includes('forceExit')).length, 2)
  t.strictSame(said, [
    'FILE cannot be read: the file system does not answer; keeping the current content, state 0',
    'FILE cannot be read: the file system does not answer; keeping the current content, state 0',
    'FILE cannot be read: earlier readings hang; keeping the current content, state 0'
  ])
  readings[0]?.resolve('late')
  readings[1]?.reject(new Error('late'))
  await setImmediate()
  const reading = file.reload()
  await begun(3)
  readings[2]?.resolve('new')
  await reading
  t.strictSame(used, ['new'])
  t.strictSame(counted, ['failed', 'failed', 'failed', 'replaced'])
  t.equal(process.listeners('exit').filter(({ name }) => name.includes('forceExit')).length, 0)
})

const silent = { warn () {} }

/** Calls feedWatchdog with a value of WATCHDOG_USEC. Returns the intervals of its timers in milliseconds. */
function intervalsOf (t: Test, value: Record<string, string>): number[] {
  const intervals: number[] = []
  t.intercept(process, 'env', { value })
  t.intercept(globalThis, 'setInterval', {
    value: (_callback: unknown, interval: number) => {
      intervals.push(interval)
      return { unref () {} }
    }
  })
  feedWatchdog(silent)
  return intervals
}

t.test('the watchdog is notified twice in its interval; without a watchdog there is no timer', async t => {
  t.strictSame(intervalsOf(t, { WATCHDOG_USEC: '30000000' }), [15_000])
  t.strictSame(intervalsOf(t, {}), [])
  t.strictSame(intervalsOf(t, { WATCHDOG_USEC: '0' }), [])
})

t.test('without systemd-notify, the log has a warning', async t => {
  t.intercept(process, 'env', { value: { NOTIFY_SOCKET: '@nobody', PATH: t.testdir() } })
  const line = await new Promise(resolve => notifySystemd('READY=1', { warn: (...line) => resolve(line) }))
  t.match(line, [{ err: { code: 'ENOENT' } }, 'systemd was not notified'])
})

/** Sets the state of the terminal that is standard input. */
function setTerminal (isOpen: boolean): void {
  tty.isatty = () => isOpen
  syncBuiltinESMExports()
}

t.test('SIGHUP ends a process whose terminal was closed, and no other', async t => {
  const { isatty } = tty
  t.teardown(() => {
    tty.isatty = isatty
    syncBuiltinESMExports()
  })
  setTerminal(true)
  const before = process.listeners('SIGHUP')
  const { handleHangUp, hangUp } = await import('../../../src/process/hang-up.js')
  handleHangUp()
  const listener = process.listeners('SIGHUP').find(listener => !before.includes(listener))!
  process.off('SIGHUP', listener)

  const said = t.capture(process.stderr, 'write')
  hangUp.answer()
  t.strictSame(said.args(), [['payment-signature-backend: SIGHUP while starting, ignored\n']])
  said.restore()
  let answers = 0
  hangUp.answer = () => answers++
  const exitListeners: Array<() => void> = []
  t.capture(process, 'once', (_event: string, listener: () => void) => exitListeners.push(listener))
  t.capture(process, 'removeAllListeners')
  const kill = t.capture(process, 'kill')

  listener('SIGHUP')
  t.strictSame([answers, kill.args().length], [1, 0])
  setTerminal(false)
  listener('SIGHUP')
  exitListeners[0]?.()
  t.equal(answers, 1)
  t.strictSame(kill.args(), [[process.pid, 'SIGTERM'], [process.pid, 'SIGTERM']])
})
