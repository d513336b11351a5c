import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../dist/test/support/free-port.js'
import { serverProcessor } from './processors.js'
import { body, path, signature, token } from './request.js'

const running = new Map()
process.on('exit', () => { for (const [child, signal] of running) child.kill(signal) })

/**
 * Starts a server with a minimal environment, and resolves after its first correct signature.
 *
 * @param processor Numbers of its processors, separated by commas. Default: the first one.
 * @param command Program and arguments that start the server. Default: Node.js with `file`.
 * @param signal Signal that ends the command.
 */
export async function start (
  { label, file, env = {}, processor = serverProcessor, command = [process.execPath, file], signal = 'SIGKILL' }, directory
) {
  const port = await freePort()
  const folder = join(directory, String(port)) // no .env there
  mkdirSync(folder)
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'w')
  const startedAt = performance.now()
  const child = spawn('taskset', ['-c', processor, ...command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      MERCHANT_TOKEN: token,
      ...env
    },
    stdio: ['ignore', log, 'inherit']
  })
  running.set(child, signal)
  closeSync(log)
  await once(child, 'spawn')

  /** Throws unless a request gets the right signature. */
  async function check () {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST', body, headers: { 'content-type': 'application/json', connection: 'close' }
    })
    const text = await response.text()
    if (response.status !== 200 || JSON.parse(text).signature !== signature) {
      throw new Error(`${label} responded ${response.status} ${text}`)
    }
  }

  const isUp = () => check().then(() => true, error => {
    if (error.cause?.code !== 'ECONNREFUSED') throw error
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${label} ended before it responded`)
    return false
  })
  while (!await isUp()) await setTimeout(1)

  return {
    label,
    port,
    /** From the start of the process to its first signature, in milliseconds. */
    startTime: performance.now() - startedAt,
    check,
    /** Time that all threads of the server were on a processor, in nanoseconds. */
    processorTime: () => readdirSync(`/proc/${child.pid}/task`)
      .map(task => Number(readFileSync(`/proc/${child.pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]))
      .reduce((sum, time) => sum + time, 0),
    /** Size of its log in bytes. */
    logSize: () => statSync(logFile).size,
    /** Resident memory in MB. */
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1000,
    async stop () {
      child.kill(signal)
      await once(child, 'close')
      running.delete(child)
      rmSync(folder, { recursive: true })
    }
  }
}
