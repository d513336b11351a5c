import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { start, type Scope } from '../support/server.js'

const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env
const environment = { PATH, HOME, NODE_EXTRA_CA_CERTS, NEXT_TELEMETRY_DISABLED: '1' }
const running = { ...environment, MERCHANT_TOKEN: production.token, NODE_ENV: 'production' }

/** True if npm reaches its registry. */
export const reachesRegistry = (): boolean =>
  spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { env: environment }).status === 0

/** A project with packages, and an experiment. `run` rejects if the experiment fails. */
export interface ForeignPart {
  /** Packages of the registry: arguments of `npm install`. */
  readonly packages: readonly string[]
  /** Reason for which the part cannot run on this machine. */
  readonly skip?: string | false
  run (project: Project): Promise<void>
}

/** A new folder with installed packages. */
export class Project {
  private constructor (readonly scope: Scope) {}

  static async install (scope: Scope, packages: readonly string[]): Promise<Project> {
    const project = new Project(scope)
    project.write('package.json', '{ "type": "module" }')
    await project.run('npm', 'install', '--no-audit', '--no-fund', ...packages)
    return project
  }

  /** Returns the absolute path of a file. */
  path (name: string): string {
    return join(this.scope.testdir(), name)
  }

  write (name: string, text: string): void {
    const path = this.path(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** Writes a code block to the file that the comment in its first line names. Returns this name. */
  writeBlock (text: string): string {
    const name = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (name === undefined) throw new Error(`the block does not name its file:\n${text}`)
    this.write(name, text)
    return name
  }

  /** Runs a command to its end, without a token. Returns its standard output. */
  async run (command: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(command, args, { cwd: this.scope.testdir(), env: environment })
    return stdout
  }

  /**
   * Starts a server that listens on PORT. Returns its address once the server accepts connections.
   *
   * @param variables - such as an empty MERCHANT_TOKEN. Default: a shop with a demonstration log-in
   */
  async serve ([command = '', ...args]: readonly string[], variables: object = { SHOP: 'demo' }): Promise<string> {
    const port = String(await freePort())
    const env = { ...running, PORT: port, ...variables }
    const server = start(this.scope, command, args, { cwd: this.scope.testdir(), env })
    let hasEnded = false
    server.ended.finally(() => { hasEnded = true })
    const url = `http://localhost:${port}`
    while (!await fetch(url, { method: 'HEAD' }).then(() => true, () => false)) {
      if (hasEnded) throw new Error(`${[command, ...args].join(' ')} ended:\n${server.output()}`)
      await delay(100)
    }
    return url
  }
}
