import { cpSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../support/scope.js'
import { root } from '../support/server.js'

/** Returns a folder with the files that `npm start` needs, and a function that runs the build before the start. */
function cloneOf (t: Test) {
  const folder = temporaryFolder(t, 'clone-') // outside the repository, whose packages would be found
  for (const path of ['package.json', 'tsconfig.json', 'src', 'plugins', 'routes', 'tools', 'scripts']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  const prestart = () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'prestart'], { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  return { folder, prestart }
}

t.test('npm start says what it compiles, and the next npm start compiles nothing', async t => {
  const { folder, prestart } = cloneOf(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  t.match(prestart(), { status: 0, output: /^compiling \d+ files into dist\n$/ })
  t.strictSame(prestart(), { status: 0, output: '' })
  unlinkSync(join(folder, 'dist/src/server.js'))
  t.strictSame(prestart(), { status: 0, output: 'compiling 1 files into dist\n' }, 'only what is missing')
})

t.test('npm start after an install without development packages says in one line what to do', async t => {
  t.strictSame(cloneOf(t).prestart(), {
    status: 1,
    output: 'the build needs the development packages, which NODE_ENV=production and --omit=dev leave out: ' +
      'run npm ci --include=dev\n'
  })
})
