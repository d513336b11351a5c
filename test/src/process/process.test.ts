import { syncBuiltinESMExports } from 'node:module'
import tty from 'node:tty'
import t, { type Test } from 'tap'
import { feedWatchdog, notifySystemd } from '../../../src/process/systemd.js'

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

t.test('the watchdog is notified twice in its interval', async t => {
  t.strictSame(intervalsOf(t, { WATCHDOG_USEC: '30000000' }), [15_000])
})

t.test('without a watchdog there is no timer', async t => {
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
  const { hangUp } = await import('../../../src/process/hang-up.js')
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
