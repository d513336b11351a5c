import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import { serveAdmin } from '../src/admin.js'
import { testApp } from './support/app.js'
import { run } from './support/command-line.js'
import { codeBlock, documents, fencesOf, isAsShown, stepsOf } from './support/documentation.js'
import type { Fence } from './support/documentation.js'
import { environment } from './support/environment.js'
import { body, production, signature } from './support/example.js'
import { elsewhere } from './support/fences-elsewhere.js'
import { freePort } from './support/free-port.js'
import { portOf } from './support/http.js'
import { root } from './support/server.js'

// Each code block of the documents whose lines begin with `$` is run here, and its output compared with what is shown.
// Of the others, `here` runs some, and `elsewhere` has what runs them, or why nothing does.

process.umask(0o077) // of a token that others may read there is a warning

const policy = codeBlock('policy.md', 'json')

/** The files of the documents by their names. */
const files = {
  'request.json': body,
  token: 'development-only-token\n',
  'production-token': `${production.token}\n`,
  tokens: `production=${production.token}\nstaging=development-only-token\n`,
  'merchant-token': 'first-token-0123456789\n',
  'policy.json': '{"callers":[{"name":"shop","anonymous":true,"operations":["sale"],"accountNumbers":["102551"],"maxAmount":"5.00"}]}',
  'documented-policy.json': policy,
  'production-policy.json': policy.replace(/c018c41c\w+/, 'f'.repeat(64)), // whose key nobody knows
  // An implementation that trims.
  'sign.py': codeBlock('conformance.md', 'python').replace('optional(request, "orderId")', 'optional(request, "orderId").strip()')
}

/** A folder with them, and what is run from the root. */
function folderOf (t: Test): string {
  const folder = t.testdir(files)
  for (const name of ['dist', 'vectors']) symlinkSync(join(root, name), join(folder, name))
  return folder
}

const variables = { PATH: process.env.PATH, NO_COLOR: '1', LC_ALL: 'C.UTF-8', SIGNATURE: signature, NEW_TOKEN: 'second-token-0123456789' }

/** What bash prints, by both streams, for each command of a session, and the code that the last one ended with. */
async function session (folder: string, commands: readonly string[]): Promise<{ outputs: string[], status: number }> {
  const program = [
    'exec 2>&1',
    'trap : HUP; PID=$$',
    `payment-signature () { node ${join(root, 'dist/src/command-line/payment-signature.js')} "$@"; }`,
    // After each command comes a mark, and the code that it ended with is there again for `echo $?`.
    ...commands.map(command => `${command}\nstatus=$?; printf '\\036'; (exit $status)`)
  ].join('\n')
  const { stdout, code = 0 } = await promisify(execFile)('bash', ['-c', program], { cwd: folder, env: variables })
    .catch((error: { stdout: string, code: number }) => error) as { stdout: string, code?: number }
  return { outputs: stdout.split('\x1e'), status: code }
}

/** The service of the documents, and what stands for its addresses; it has signed one request. */
async function addresses (t: Test): Promise<Record<string, string>> {
  const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example', ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' } })
  await app.ready()
  const [metrics = ''] = await serveAdmin(app)
  const port = await portOf(app)
  await app.inject({ method: 'POST', url: '/api/generate-signature', headers: { 'content-type': 'application/json' }, payload: body })
  return {
    'http://localhost:3001': `http://127.0.0.1:${port}`,
    'http://localhost:3002': `http://127.0.0.1:${await freePort()}`,
    'http://127.0.0.1:9464/metrics': metrics
  }
}

const missing = ['curl', 'jq', 'openssl', 'promtool', 'python3', 'sha256sum']
  .filter(program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

/** For a test's `skip`. */
const lacks = (text: string): string | false => {
  const needed = missing.filter(program => text.includes(program))
  return needed.length > 0 && `${needed.join(' and ')} missing`
}

const renamed = (text: string, names: ReadonlyArray<readonly [from: string, to: string]>): string =>
  names.reduce((text, [from, to]) => text.replaceAll(from, to), text)

/** Runs a block in which each command follows a `$`. */
async function transcript (t: Test, { text }: Fence): Promise<void> {
  const folder = folderOf(t)
  const real = { '/run/secrets': folder, ...(/:(?:3001|3002|9464)\b/.test(text) ? await addresses(t) : {}) }
  const steps = stepsOf(text)
  const { outputs } = await session(folder, steps.map(({ command }) => renamed(command, Object.entries(real))))
  const documented = Object.entries(real).map(([name, actual]) => [actual, name] as const)
  for (const [index, { command, output }] of steps.entries()) {
    const said = renamed(outputs[index] ?? '', documented)
    if (!isAsShown(said, output)) t.equal(said, output, command)
  }
}

type Here = (t: Test, fence: Fence, next: Fence | undefined) => Promise<void>

/** Blocks that are run otherwise than as a transcript: how they begin, and how. */
const here: Readonly<Record<string, Readonly<Record<string, Here>>>> = {
  'docs/library.md': { 'import { VariantA': library },
  'docs/policy.md': {
    '{\n  "callers"': async t => {
      t.match(await run(['policy', 'check', join(folderOf(t), 'documented-policy.json')]), {
        code: 0, stdout: '✓ callers: anonymous, back-office\n'
      })
    },
    '$ key=': async (t, { text }) => {
      const { outputs } = await session(folderOf(t), stepsOf(text).map(({ command }) => command))
      const [key = '', digest] = outputs[0]!.split('\n')
      t.match(key, /^[0-9a-f]{64}$/)
      t.equal(digest, `${createHash('sha256').update(key).digest('hex')}  -`)
    }
  },
  'docs/configuration.md': {
    'STRICT_MODE is not': async (t, { text }) => {
      environment(t, undefined, { STRICT_MODE: 'true', NODE_ENV: 'Production' })
      const { stderr } = await run(['serve', '--check'])
      for (const line of text.trim().split('\n')) t.match(stderr, `payment-signature-backend: warning: ${line}\n`)
    }
  },
  'docs/production.md': {
    'MERCHANT_TOKEN_FILE=': async t => {
      const blocks = fencesOf('docs/production.md').filter(({ text }) => /^(?:[A-Z_]+=\S*\n)+$/.test(text))
      t.ok(blocks.length > 3)
      const variables = parseEnv(blocks.map(({ text }) => text).join('')
        .replace('/run/secrets/merchant-token', './production-token')
        .replace('/etc/payment-signature/policy.json', './production-policy.json'))
      environment(t, undefined, variables as Record<string, string>, files)
      t.match(await run(['serve', '--check']), { code: 0, stderr: '' }, 'it leaves nothing open')
    }
  },
  'vectors/README.md': {
    'python3 -': async (t, { text }, next) => {
      const { outputs } = await session(folderOf(t), [text])
      t.equal(outputs[0], next?.text)
    }
  }
}

/** All of docs/library.md as one program, whose output is what is shown after its blocks. */
async function library (t: Test): Promise<void> {
  const fences = fencesOf('docs/library.md')
  const program = fences.filter(({ language }) => language === 'js').map(({ text }) => text).join('')
  const shown = fences.filter(({ language }) => language === '').map(({ text }) => text).join('')
  const folder = t.testdir({ 'program.mjs': program }) // below the package, which can import itself by its name
  const { outputs } = await session(folder, ['MERCHANT_TOKEN=development-only-token node program.mjs'])
  t.equal(outputs[0], shown)
}

const used = new Set<unknown>()

for (const document of documents) {
  const accounts = elsewhere[document] ?? []
  const own = here[document] ?? {}
  for (const [index, fence] of fencesOf(document).entries()) {
    t.test(`${document}:${fence.line}`, { skip: lacks(fence.text) }, async t => {
      const begins = Object.keys(own).find(begins => fence.text.startsWith(begins))
      const account = accounts.find(({ begins }) => fence.text.startsWith(begins))
      used.add(begins ?? account)
      if (begins !== undefined) return own[begins]!(t, fence, fencesOf(document)[index + 1])
      if (account === undefined && fence.text.startsWith('$ ')) return transcript(t, fence)
      if (account === undefined) return t.fail('it is neither run here nor elsewhere: see test/support/fences-elsewhere.ts')
      const { test, says, why } = account
      if (test === undefined) return t.ok(why)
      const program = readFileSync(join(root, test), 'utf8')
      if (says === undefined) t.ok(program.includes(document.replace('docs/', '')), `${test} names the document`)
      for (const text of says ?? []) {
        t.ok(program.includes(text), `${test} has: ${text}`)
        t.ok(fence.text.includes(text), `the block has: ${text}`)
      }
    })
  }
}

t.test('nothing is accounted for that is not there any more', async t => {
  const all = Object.values(elsewhere).flat()
  t.strictSame(all.filter(account => !used.has(account)), [])
  t.strictSame(Object.values(here).flatMap(Object.keys).filter(begins => !used.has(begins)), [])
  for (const document of [...Object.keys(elsewhere), ...Object.keys(here)]) t.ok(documents.includes(document), document)
})

t.test('npx never fetches a package of that name from the registry', async t => {
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8')
    t.strictSame(text.match(/npx (?!--no )[^\n`]*payment-signature.*/g), null, document)
  }
})
