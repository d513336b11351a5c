import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

/**
 * Runs the test files of a folder and of its folders, one after the other in this process: each process costs tap a
 * second. Waits for the tests of a file, and ends what they left, before it imports the next file. Prints a line for
 * each file on standard error. A file that cannot be imported is a failure, and the others still run.
 *
 * @param without - folders that are left out
 */
export async function runFiles (folder: string, without: readonly string[] = []): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.js') && !without.includes(name.split('/')[0]!)).sort()
  const test = t.test.bind(t)
  const running: Array<Promise<unknown>> = []
  const endings: Array<() => unknown> = []
  t.test = ((...args: Parameters<typeof test>) => {
    const one = test(...args)
    running.push(one)
    return one
  }) as typeof t.test
  t.teardown = ending => { endings.unshift(ending) } // tap's own would end all tests with those of the first file
  const top = join(import.meta.dirname, '..')
  for (const name of names) {
    const [began, { fail }] = [performance.now(), t.counts]
    t.jobs = 1 // a file may allow more
    await import(join(folder, name)).catch(error => t.test(`${name} cannot be imported`, async () => { throw error }))
    await Promise.all(running.splice(0))
    for (const ending of endings.splice(0)) await ending()
    const failed = t.counts.fail - fail
    const result = failed > 0 ? `not ok, ${failed} failed` : 'ok'
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    process.stderr.write(`${join(folder, name).slice(top.length + 1).replace('.test.js', '')}: ${result}, ${seconds} s\n`)
  }
}
