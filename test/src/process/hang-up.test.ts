import { syncBuiltinESMExports } from 'node:module'
import tty from 'node:tty'
import t from 'tap'

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
