import { spawn } from 'node:child_process'

type Log = Pick<Console, 'warn'>

/**
 * Sends a state to systemd, if systemd has set NOTIFY_SOCKET. Node.js has no Unix datagram sockets, so a child process
 * sends the state.
 *
 * @param state - an assignment such as READY=1: systemd-notify 252 lacks options for some states
 */
export function notifySystemd (state: string, log: Log): void {
  const { NOTIFY_SOCKET, PATH } = process.env
  if (!NOTIFY_SOCKET) return
  spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
    .on('error', err => log.warn({ err }, 'systemd was not notified')).unref()
}

/** Reports twice in each interval of systemd's watchdog that the event loop runs. */
export function feedWatchdog (log: Log): void {
  const interval = Number(process.env.WATCHDOG_USEC) / 2000 // milliseconds
  if (interval > 0) setInterval(() => notifySystemd('WATCHDOG=1', log), interval).unref()
}
