import { isatty } from 'node:tty'

/**
 * Ends the process by the default action of SIGTERM. `process.exit`, which close-with-grace calls, waits for file
 * operations that hang, and fails if the terminal was closed. A listener of `exit` calls this function, so that other
 * listeners can finish.
 */
export function forceExit (): void {
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, 'SIGTERM')
}

/** Action on SIGHUP. The service replaces it when it has started. */
export const hangUp = {
  answer: (): unknown => process.stderr.write('payment-signature-backend: SIGHUP while starting, ignored\n')
}

let isHandled = false

/**
 * Handles SIGHUP from here on; a second call changes nothing. A closed terminal ends a service that was started by
 * hand. Nothing else sends SIGHUP to end a service; with close-with-grace, each SIGHUP would.
 */
export function handleHangUp (): void {
  if (isHandled) return
  isHandled = true
  const startedInTerminal = isatty(0)
  process.on('SIGHUP', () => {
    if (!startedInTerminal || isatty(0)) return hangUp.answer()
    process.once('exit', forceExit)
    process.kill(process.pid, 'SIGTERM')
  })
}
