import type { Test } from 'tap'

/** Makes `.env`, other files and the environment what a test says, and puts the process back after it. */
export function environment (
  t: Test, dotenv: string | undefined, variables: Record<string, string>, files: Record<string, string> = {}
): void {
  const folder = t.testdir({ ...files, ...dotenv !== undefined && { '.env': dotenv } })
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(before))
  t.intercept(process, 'env', { value: variables })
}
