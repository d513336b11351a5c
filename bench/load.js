import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { body, path } from './request.js'

const script = join(import.meta.dirname, 'load.lua')

/**
 * Sends requests on connections that stay open, on each as soon as the last one has its response, or after a pause
 * of so many milliseconds on average. wrk knows whole seconds only, but an interrupt ends it as if its time were over.
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
 * What the load takes from a server: microseconds of processor time for each request, the share of the time that it was
 * on a processor, latencies in milliseconds, and resident memory in MB.
 */
export async function measure (server, seconds, crowd = { connections: 64, pause: 0 }) {
  const before = server.processorTime()
  const { requests, seconds: elapsed, errors, ...latency } = await load(server.port, seconds, crowd)
  const processorTime = server.processorTime() - before
  if (errors > 0) throw new Error(`${server.label}: ${errors} of ${requests} requests failed`)
  if (requests === 0) return measure(server, 2 * seconds, crowd) // on a busy machine so short a time is none
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
