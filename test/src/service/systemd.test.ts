import { mock } from 'node:test'
import t from 'tap'
import { feedWatchdog } from '../../../src/service/systemd.js'

t.test('without systemd-notify, the log warns that the watchdog is not notified', async t => {
  t.intercept(process, 'env', { value: { NOTIFY_SOCKET: '@nobody', PATH: t.testdir(), WATCHDOG_USEC: '30000000' } })
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const lines: unknown[] = []
  await new Promise<void>(resolve => {
    feedWatchdog({ warn (...line) { lines.push(line); resolve() } })
    mock.timers.tick(15_000)
  })
  t.match(lines, [[{ err: { code: 'ENOENT' } }, 'systemd was not notified']])
})
