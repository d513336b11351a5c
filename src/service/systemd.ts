import { spawn } from 'node:child_process'

type Log = Pick<Console, 'warn'>

/**
 * Sends a state to systemd. Does nothing unless systemd has set NOTIFY_SOCKET. Node.js has no datagram sockets of the
 * Unix kind, so a child process sends the state.
 *
 * @param state - such as READY=1; systemd 252 has no option for each state
 */
export function notifySystemd (state: string, log: Log): void {
  const { NOTIFY_SOCKET, PATH } = process.env
  if (!NOTIFY_SOCKET) return
  spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
    .on('error', err => log.warn({ err }, 'systemd was not notified')).unref()
}

/** Reports to systemd's watchdog, twice in each of its intervals, that the event loop runs. */
export function feedWatchdog (log: Log): void {
  const interval = Number(process.env.WATCHDOG_USEC) / 2000 // milliseconds
  if (interval > 0) setInterval(() => notifySystemd('WATCHDOG=1', log), interval).unref()
}
