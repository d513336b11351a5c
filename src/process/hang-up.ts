import { isatty } from 'node:tty'
import { forceExit } from './forced-exit.js'

const startedInTerminal = isatty(0)

/** Action on SIGHUP. The service replaces it when it has started. */
export const hangUp = {
  answer: (): unknown => process.stderr.write('payment-signature-backend: SIGHUP while starting, ignored\n')
}

// A closed terminal ends a service that was started by hand. Nothing else sends SIGHUP to end a service; with
// close-with-grace, each SIGHUP would.
process.on('SIGHUP', () => {
  if (!startedInTerminal || isatty(0)) return hangUp.answer()
  process.once('exit', forceExit)
  process.kill(process.pid, 'SIGTERM')
})
