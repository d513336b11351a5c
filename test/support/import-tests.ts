import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const tests = join(import.meta.dirname, '..')

/**
 * Disables the async hook with which the test runner finds the test of an error that nobody handles. The hook takes an
 * eighth of the processor time. Without the hook, such an error ends the process, which fails.
 */
function disableAsyncHooks (): void {
  const disabled: AsyncHook = { enable: () => disabled, disable: () => disabled }
  asyncHooks.createHook = () => disabled
  syncBuiltinESMExports()
}

/**
 * Imports the tests whose paths begin with `start`. They share one process and run one after the other. Each file of
 * test/processes is such a process. The test runner starts the files in the order of their names: the longest first.
 *
 * @param others beginnings of the paths that are left out
 */
export async function importTests (start: string, ...others: string[]): Promise<void> {
  disableAsyncHooks()
  const names = readdirSync(tests, { recursive: true }).map(String).sort().filter(name =>
    name.endsWith('.test.js') && name.startsWith(start) && !others.some(other => name.startsWith(other)))
  for (const name of names) await import(pathToFileURL(join(tests, name)).href)
}
