/**
 * Ends the process by the default action of SIGTERM. `process.exit`, which close-with-grace calls, waits for file
 * operations that hang, and fails if the terminal was closed. A listener of `exit` calls this function, so that other
 * listeners can finish.
 */
export function forceExit (): void {
  process.removeAllListeners('SIGTERM')
  process.kill(process.pid, 'SIGTERM')
}
