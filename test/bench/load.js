import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { body, path } from './request.js'

const script = join(import.meta.dirname, 'load.lua')

/**
 * Sends requests on keep-alive connections: the next one as soon as the response is there, or after a random pause with
 * this mean in milliseconds. wrk accepts whole seconds only; SIGINT ends it earlier, with a complete report.
 */
async function load (port, seconds, { connections, pause }) {
  const url = `http://127.0.0.1:${port}${path}`
  const args = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds) + 1}s`, '--timeout', '10s', '-s', script, url]
  const wrk = spawn('wrk', args, {
    env: { ...process.env, BODY: body, PAUSE: String(pause) },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: Math.round(seconds * 1000),
    killSignal: 'SIGINT'
  })
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'close')])
  return JSON.parse(output.slice(output.lastIndexOf('\n{')))
}

/**
 * Loads a server and returns the processor time of a request in microseconds, the share of the time that the server was
 * on a processor, latencies in milliseconds, and resident memory in MB.
 *
 * @param port Port of the load, such as that of a proxy. Default: the server's own.
 */
export async function measure (server, seconds, crowd = { connections: 64, pause: 0 }, port = server.port) {
  const before = server.processorTime()
  const { requests, seconds: elapsed, errors, ...latency } = await load(port, seconds, crowd)
  const processorTime = server.processorTime() - before
  if (errors > 0) throw new Error(`${server.label}: ${errors} of ${requests} requests failed`)
  if (requests === 0) return measure(server, 2 * seconds, crowd, port) // the time was too short on a busy machine
  await server.check()
  return {
    microseconds: processorTime / requests / 1000,
    perSecond: requests / elapsed,
    busy: processorTime / elapsed / 1e9,
    memory: server.memory(),
    requests,
    ...latency
  }
}
