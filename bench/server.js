import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onAnyProcessor, onServerProcessor } from './processors.js'
import { ask, signature, token } from './request.js'

/** A port that was free a moment ago. The service cannot say which one it picked when its log is off. */
async function freePort () {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

const running = new Set()
process.on('exit', () => { for (const child of running) child.kill('SIGKILL') })

const tasks = pid => readdirSync(`/proc/${pid}/task`).map(task => `/proc/${pid}/task/${task}`)

/** The process and those that it started. */
function family (pid) {
  const children = tasks(pid).flatMap(task => readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean))
  return [String(pid), ...children.flatMap(family)]
}

/** The time that all threads of a process were on a processor, in nanoseconds. */
function cpuTimeOf (pid) {
  return tasks(pid).reduce((sum, task) => sum + Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ', 1)[0]), 0)
}

/** Resident memory of a process, in bytes. */
function memoryOf (pid) {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
}

const sum = values => values.reduce((total, value) => total + value, 0)

async function untilFirstAnswer (child, port, label) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${label} ended before it answered`)
    try {
      return await ask(port)
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') throw error
      await setTimeout(1)
    }
  }
}

/**
 * Starts a target, with nothing in its environment but what it needs, and resolves once it has answered right. What it
 * writes goes to a file in `directory`.
 */
export async function start ({ label, command, env, isSpread = false }, directory) {
  const port = await freePort()
  const logFile = join(directory, `${port}.log`)
  const log = openSync(logFile, 'w')
  const [program, ...args] = isSpread ? onAnyProcessor(command) : onServerProcessor(command)
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: directory,
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
  running.add(child)
  closeSync(log)
  await once(child, 'spawn')

  async function check (answer) {
    const { status, text } = answer ?? await ask(port)
    if (status === 200 && JSON.parse(text).signature === signature) return
    throw new Error(`${label} answered ${status} ${text}`)
  }

  const answer = await untilFirstAnswer(child, port, label)
  const startTime = performance.now() - startedAt
  await check(answer)

  return {
    port,
    /** From the start of the process to its first answer, in milliseconds. */
    startTime,
    cpuTime: () => sum(family(child.pid).map(cpuTimeOf)),
    memory: () => sum(family(child.pid).map(memoryOf)),
    /** Throws unless a request gets the right signature. */
    check,
    async stop () {
      const members = family(child.pid)
      child.kill('SIGKILL')
      await once(child, 'close')
      running.delete(child)
      for (const pid of members.slice(1)) {
        try { process.kill(Number(pid), 'SIGKILL') } catch {} // it may have followed its parent
      }
      rmSync(logFile)
    }
  }
}
