import { cpSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { root } from '../support/server.js'

t.test('npm start says what it compiles, and the next npm start compiles nothing', async t => {
  const folder = t.testdir()
  for (const path of ['package.json', 'tsconfig.json', 'src', 'plugins', 'routes', 'tools', 'scripts']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const prestart = () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'prestart'], { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  t.match(prestart(), { status: 0, output: /^compiling \d{3} files into dist\n$/ })
  t.strictSame(prestart(), { status: 0, output: '' })
  unlinkSync(join(folder, 'dist/src/server.js'))
  t.strictSame(prestart(), { status: 0, output: 'compiling 1 files into dist\n' }, 'only what is missing')
})
