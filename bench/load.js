import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { body, headers, path } from './request.js'

const run = promisify(execFile)

/** wrk takes less from the processor than autocannon does, but knows whole seconds only. */
const wrkVersion = /wrk \S+ ?\S*(?= \[)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[0]
const usesWrk = seconds => wrkVersion !== undefined && Number.isInteger(seconds)

export const loader = seconds => usesWrk(seconds) ? wrkVersion : 'autocannon'

// Durations are microseconds there; a JSON string of ASCII characters is one of Lua, too.
const script = size => `
wrk.method = "POST"
wrk.body = ${JSON.stringify(body(size))}
${Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`).join('\n')}
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"errors":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`

/** Sends as many requests as there are answers for; times are in milliseconds. */
export async function load ({ port, connections = 64, seconds, size = 0, directory }) {
  if (!usesWrk(seconds)) {
    const options = JSON.stringify({ port, connections, seconds, size })
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'autocannon.js'), options])
    return JSON.parse(stdout)
  }
  const file = join(directory, 'wrk.lua')
  writeFileSync(file, script(size))
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', file,
    `http://127.0.0.1:${port}${path}`])
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{')))
}

/** The same, with what it took from the server: microseconds of processor time for each request, and memory in MB. */
export async function measure (server, options) {
  const before = server.cpuTime()
  const { requests, seconds, errors, p50, p99 } = await load({ port: server.port, ...options })
  const cpuTime = server.cpuTime() - before
  if (requests === 0) return measure(server, options) // a short run on a busy machine
  return {
    cpu: cpuTime / requests / 1000,
    requestsPerSecond: requests / seconds,
    p50,
    p99,
    memory: server.memory() / 1e6,
    requests,
    errors
  }
}
