import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../support/scope.js'
import { root } from '../support/server.js'

/** Returns a folder with the files that `npm start` needs, and a function that runs its program with an argument. */
function cloneOf (t: Test) {
  const folder = temporaryFolder(t, 'clone-') // outside the repository, whose packages would be found
  for (const path of ['package.json', 'openapi.json', 'tsconfig.json', 'src', 'plugins', 'routes', 'tools', 'scripts']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  const start = () => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test' }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.js', 'an-argument'], { cwd: folder, encoding: 'utf8', env })
    return { status, output: stderr + stdout }
  }
  return { folder, start }
}

t.test('npm start says what it compiles, and the next npm start compiles nothing', async t => {
  const { folder, start } = cloneOf(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const loaded = 'payment-signature: unexpected argument'
  t.match(start(), { status: 2, output: new RegExp(`^compiling \\d+ files into dist\n${loaded}`) })
  t.match(start(), { status: 2, output: new RegExp(`^${loaded}`) })
  unlinkSync(join(folder, 'dist/src/service.js'))
  t.match(start(), { status: 2, output: new RegExp(`^compiling 1 files into dist\n${loaded}`) }, 'only what is missing')
})

t.test('npm start after an install without development packages says in one line what to do', async t => {
  t.strictSame(cloneOf(t).start(), {
    status: 1,
    output: 'the build needs the development packages, which NODE_ENV=production and --omit=dev leave out: ' +
      'run npm ci --include=dev\n'
  })
})

t.test('a clone by Git for Windows has LF: a CR would be signed', async t => {
  const folder = temporaryFolder(t, 'clone-')
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })
  git(folder, 'init', '--quiet')
  git(folder, 'config', 'core.autocrlf', 'true')
  for (const path of ['.gitattributes', 'examples/first/token', 'examples/first/request.json']) {
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  git(folder, 'add', '.')
  git(folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '--message', 'files')
  rmSync(join(folder, 'examples'), { recursive: true })
  git(folder, '-c', 'core.eol=crlf', 'checkout', '--quiet', '.')
  t.equal(readFileSync(join(folder, 'examples/first/token'), 'utf8'), 'development-only-token\n')
})
