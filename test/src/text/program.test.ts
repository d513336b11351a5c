import { spawnSync } from 'node:child_process'
import t from 'tap'

const program = new URL('../../../src/text/program.js', import.meta.url).href

t.test('a program that an older Node.js cannot load names Node.js; any other fault is shown as it is', async t => {
  const run = (code: string) => spawnSync(process.execPath, ['--input-type=module', '--eval',
    `import { load } from '${program}'; await load(() => import('data:text/javascript,${code}'))`], { encoding: 'utf8' })
  t.match(run('import{none}from"node:crypto"'), {
    status: 1, stdout: '', stderr: `payment-signature: Node.js 20.20 or newer is needed; this is ${process.version}\n`
  })
  t.match(run('throw new TypeError("another fault")'), { status: 1, stderr: 'TypeError: another fault' })
})
