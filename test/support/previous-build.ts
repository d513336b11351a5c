import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './server.js'
import type { Scope } from './server.js'

/** The version from which the upgrade test starts. */
export const previousCommit = '4b04fa3'

/** Builds an earlier version with the dependencies of this checkout. The build is removed with the test. */
export function previousBuild (t: Scope, commit = previousCommit) {
  const folder = mkdtempSync(join(tmpdir(), 'previous-build-'))
  const run = (cwd: string, command: string, ...args: string[]) => spawnSync(command, args, { cwd, encoding: 'utf8' })
  t.teardown(() => {
    rmSync(folder, { recursive: true, force: true })
    run(root, 'git', 'worktree', 'prune')
  })
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
