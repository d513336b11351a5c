import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { Log } from './log.js'

/** A test or a script, at whose end everything stops that it started. */
export type Scope = Pick<Test, 'teardown' | 'testdir' | 'testdirName'>

export interface Server {
  process: ChildProcess
  /** Returns the output so far, of standard output and standard error. */
  output: () => string
  /**
   * Resolves with the match once the output contains it. Rejects with the output if the process ends first, or after a
   * time-out.
   */
  says: (pattern: RegExp) => Promise<RegExpMatchArray>
  /** Resolves with the exit code after the end of the process and of its output. */
  ended: Promise<number | null>
  /** Sends SIGTERM, and resolves with the exit code. */
  terminate: () => Promise<number | null>
}

/** Runs a command, without the NODE_OPTIONS of the test runner, and ends it with the test. */
export function start (
  t: Scope, command: string, args: string[], options: { cwd: string, env: NodeJS.ProcessEnv }
): Server {
  const child = spawn('env', ['-u', 'NODE_OPTIONS', command, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => { child.kill('SIGKILL') })
  const output = new Log()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => output.write(chunk))
  }
  let hasEnded = false
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true
    output.write('') // so that waiting functions check again
    return code as number | null
  })

  const says = (pattern: RegExp): Promise<RegExpMatchArray> =>
    output.waitFor(String(pattern), text => {
      const match = pattern.exec(text)
      if (match === null && hasEnded) throw new Error(`ended without saying ${pattern}:\n${text}`)
      return match
    })

  const terminate = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { process: child, output: () => output.text, says, ended, terminate }
}

export const root = join(import.meta.dirname, '../../..')

/**
 * Runs the compiled server. `stdout` is a path that the standard output goes to instead. `descriptors` is the limit of
 * open files.
 */
export function server (t: Scope, variables: Record<string, string>, {
  cwd = '', nodeOptions = [] as string[], stdout = '', args = [] as string[], descriptors = 0
} = {}): Server {
  const command = [process.execPath, ...nodeOptions, join(root, 'dist/tools/command-line/payment-signature.js'), 'serve', ...args]
  const limit = descriptors === 0 ? '' : `ulimit -n ${descriptors} && `
  return start(t, 'sh', ['-c', `${limit}exec "$@" ${stdout && `>${stdout}`}`, 'sh', ...command], {
    cwd: cwd || (existsSync(t.testdirName) ? t.testdirName : t.testdir()), // testdir() empties the folder
    env: { NODE_ENV: 'test', PORT: '0', HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1', ...variables }
  })
}

/** Returns the Node.js option that runs code before the program. */
export const importing = (code: string): string => `--import=data:text/javascript,${encodeURIComponent(code)}`

/** Returns the Node.js option that reports the import of a module, which then never ends. */
export function loadingOf (name: string): string {
  const module = 'data:text/javascript,console.error("loading"); setInterval(() => {}, 1000); await new Promise(() => {})'
  const hooks = `export const resolve = (name, context, next) => name === ${JSON.stringify(name)} ? { url: ${JSON.stringify(module)}, ` +
    'shortCircuit: true } : next(name, context)'
  return importing('import { register } from "node:module"; ' +
    `register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})`)
}

/** Node.js option that writes the listening address to standard error, for a process without a log. */
export const sayingWhere = importing(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (...args) {
    return listen.apply(this, args).once('listening', () =>
      console.error('listening at http://127.0.0.1:' + this.address().port))
  }
`)

export const listening = /listening at http:\/\/127\.0\.0\.1:(\d+)/
