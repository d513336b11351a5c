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
