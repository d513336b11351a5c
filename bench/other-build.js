import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')

function run (cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`)
}

/**
 * Returns the server file of another build: of a commit or tag, which is built with the dependencies of this checkout,
 * or of a checkout that is built already.
 */
export function otherBuild (name, directory) {
  const built = join(resolve(name), 'dist/src/server.js')
  if (existsSync(built)) return built
  const folder = join(directory, 'other')
  run(root, 'git', 'worktree', 'add', '--detach', folder, name)
  process.on('exit', () => spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  run(folder, process.execPath, 'node_modules/typescript/bin/tsc', '--noCheck')
  return join(folder, 'dist/src/server.js')
}
