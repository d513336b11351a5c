import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'

export interface Server {
  process: ChildProcess
  /** All that it wrote so far to standard output and standard error. */
  output: () => string
  /** Resolves with the match once the output has it; rejects if the process ends first. */
  says: (pattern: RegExp) => Promise<RegExpMatchArray>
  /** Resolves with the exit code once the process has ended and all its output is read. */
  ended: Promise<number | null>
}

/** Runs a command, and ends it with the test. */
export function start (
  t: Test, command: string, args: string[], options: { cwd: string, env: NodeJS.ProcessEnv }
): Server {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => { child.kill('SIGKILL') })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
      child.emit('output')
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)

  async function says (pattern: RegExp): Promise<RegExpMatchArray> {
    for (;;) {
      const match = pattern.exec(output)
      if (match !== null) return match
      const more = await Promise.race([once(child, 'output').then(() => true), ended.then(() => false)])
      if (!more && !pattern.test(output)) throw new Error(`ended without saying ${pattern}:\n${output}`)
    }
  }

  return { process: child, output: () => output, says, ended }
}

export const root = join(import.meta.dirname, '../../..')

/** The compiled server with so few file descriptors. */
export function limited (
  t: Test, descriptors: number, variables: Record<string, string> = {}, nodeOptions: string[] = []
): Server {
  const command = [process.execPath, ...nodeOptions, join(root, 'dist/src/server.js')]
  return start(t, 'sh', ['-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command], {
    cwd: existsSync(t.testdirName) ? t.testdirName : t.testdir(),
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1', ...variables }
  })
}

/**
 * The compiled server, or another script. `isCovered` if what it runs has to count as covered: with the test runner's
 * instruments it takes twice as long to start. `stdout` is a path that its standard output goes to instead.
 */
export function server (t: Test, variables: Record<string, string>, {
  cwd = '', nodeOptions = [] as string[], stdout = '', script = 'dist/src/server.js', isCovered = false
} = {}): Server {
  const instruments = Object.entries(process.env).filter(([name]) => isCovered && /TAP|^NODE_/.test(name))
  const command = [process.execPath, ...(isCovered ? process.execArgv : []), ...nodeOptions, join(root, script)]
  // The test runner sets NODE_OPTIONS for every process that a test starts.
  const run = `${isCovered ? '' : 'unset NODE_OPTIONS; '}exec "$@" ${stdout && `>${stdout}`}`
  return start(t, 'sh', ['-c', run, 'sh', ...command], {
    cwd: cwd || (existsSync(t.testdirName) ? t.testdirName : t.testdir()), // asked for again, it would be emptied
    env: { ...Object.fromEntries(instruments), NODE_ENV: '', PORT: '0', HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1', ...variables }
  })
}

/** A Node.js option: standard error has where the process listens, even if its log does not. */
export const sayingWhere = `--import=data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (...args) {
    return listen.apply(this, args).once('listening', () =>
      console.error('listening at http://127.0.0.1:' + this.address().port))
  }
`)}`

export const listening = /listening at http:\/\/127\.0\.0\.1:(\d+)/
