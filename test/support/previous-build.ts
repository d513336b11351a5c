import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { temporaryFolder } from './scope.js'
import { root, type Scope } from './server.js'

/** The version from which the upgrade test starts. */
export const previousCommit = '4b04fa3'

/** Builds an earlier version with the dependencies of this checkout. The build is removed with the test. */
export function previousBuild (t: Scope, commit = previousCommit) {
  const run = (cwd: string, command: string, ...args: string[]) => spawnSync(command, args, { cwd, encoding: 'utf8' })
  t.teardown(() => run(root, 'git', 'worktree', 'prune'))
  const folder = temporaryFolder(t, 'previous-build-')
  let build = run(root, 'git', 'worktree', 'add', '--detach', folder, commit)
  if (build.status === 0) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    build = run(folder, process.execPath, 'node_modules/typescript/bin/tsc', '--noCheck')
  }
  return {
    /** Path of its server from the root. */
    script: relative(root, join(folder, 'dist/src/server.js')),
    /** Value for a test's `skip`: the reason why the build cannot run, such as a shallow clone, or false. */
    skip: build.status !== 0 && `commit ${commit} cannot be built: ${build.stderr || build.stdout}`
  }
}
