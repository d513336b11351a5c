import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from './server.js'

/** Returns a new folder, which is removed with the test. Unlike a test's, its path is short enough for sockets. */
export function temporaryFolder (t: Scope, prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a function with a new folder. Its folder and its processes end with it, also at SIGINT and SIGTERM. */
export async function scoped<Result> (name: string, run: (scope: Scope) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const endings: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })]
  const end = async () => { for (const ending of endings.splice(0)) await ending() }
  const interrupted = () => { end().finally(() => process.exit(1)) }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted)
  try {
    return await run({
      testdirName: folder,
      testdir: () => folder,
      teardown: ending => { endings.unshift(ending) }
    })
  } finally {
    await end()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted)
  }
}
