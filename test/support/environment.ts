import type { Test } from 'tap'

/** Sets `.env`, other files and the environment for a test, and restores the process at its end. */
export function environment (
  t: Test, dotenv: string | Buffer | undefined, variables: Record<string, string>, files: Record<string, string> = {}
): void {
  const folder = t.testdir({ ...files, ...dotenv !== undefined && { '.env': dotenv } })
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(before))
  t.intercept(process, 'env', { value: variables })
}
