import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import { serveAdmin } from '../../src/admin.js'
import { VariantA, VariantB } from '../../src/index.js'
import { testApp } from '../support/app.js'
import { run } from '../support/command-line.js'
import { codeBlock, documents, fencesOf, isAsShown, stepsOf } from '../support/documentation.js'
import type { Fence } from '../support/documentation.js'
import { environment } from '../support/environment.js'
import { body, production, signature } from '../support/example.js'
import { elsewhere } from '../support/fences-elsewhere.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { root } from '../support/server.js'

// Each code block of the documents whose lines begin with `$` is run here, and its output compared with what is shown.
// Of the others, `here` runs some, and `elsewhere` has what runs them, or why nothing does.

process.umask(0o077) // of a token that others may read there is a warning

/** The files of the documents by their names. */
const files = {
  'request.json': body,
  token: 'development-only-token\n',
  'production-token': `${production.token}\n`,
  tokens: `production=${production.token}\nstaging=development-only-token\n`,
  'merchant-token': 'first-token-0123456789\n',
  'policy.json': '{"callers":[{"name":"shop","anonymous":true,"operations":["sale"],"accountNumbers":["102551"],"maxAmount":"5.00"}]}',
  'documented-policy.json': codeBlock('policy.md', 'json'),
  'production-policy.json': codeBlock('production.md', 'json').replace('PASTE THE DIGEST', 'f'.repeat(64)),
  // An implementation that trims.
  'sign.py': readFileSync(join(root, 'test/conformance/reference.py'), 'utf8')
    .replace('order_id = optional(request, "orderId")', 'order_id = optional(request, "orderId").strip()')
}

/** Goes to a folder with them, and with what is run from the root, and returns its path. */
function folderOf (t: Test, variables: Record<string, string> = {}): string {
  environment(t, undefined, { PATH: String(process.env.PATH), ...variables }, files)
  for (const name of ['dist', 'vectors']) symlinkSync(join(root, name), name)
  return process.cwd()
}

interface Ran {
  /** Of both streams. */
  output: string
  code: number
}

async function inShell (folder: string, command: string): Promise<Ran> {
  const program = [
    'exec 2>&1',
    'trap : HUP; PID=$$',
    `payment-signature () { node ${join(root, 'dist/tools/command-line/payment-signature.js')} "$@"; }`,
    command
  ].join('\n')
  // By env, or the test runner would instrument what it starts.
  const variables = [`PATH=${process.env.PATH}`, 'LC_ALL=C.UTF-8', 'NEW_TOKEN=second-token-0123456789']
  const { stdout, code = 0 } = await promisify(execFile)('env', ['-i', ...variables, 'bash', '--norc', '-c', program], { cwd: folder })
    .catch((error: { stdout: string, code: number }) => error) as { stdout: string, code?: number }
  return { output: stdout, code }
}

/** In this process, which takes a tenth of the time. */
async function inProcess (command: string): Promise<Ran> {
  const words = command.replaceAll('$SIGNATURE', signature).match(/'[^']*'|"(?:\\.|[^"])*"|\S+/g) ?? []
  const args = words.slice(1).map(word => word.replace(/^(['"])(.*)\1$/, '$2').replaceAll('\\"', '"'))
  const { stdout, stderr, code } = await run(args, { env: { PATH: process.env.PATH } })
  return { output: stderr + stdout, code }
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
  const real = {
    '/run/secrets': folder,
    '/etc/payment-signature/policy.json': join(folder, 'production-policy.json'),
    ...(/:(?:3001|3002|9464)\b/.test(text) ? await addresses(t) : {})
  }
  const documented = Object.entries(real).map(([name, actual]) => [actual, name] as const)
  let last = 0
  for (const { command, output } of stepsOf(text)) {
    const actual = renamed(command, Object.entries(real))
    const ran = command === 'echo $?'
      ? { output: `${last}\n`, code: 0 }
      : await (/^payment-signature (?!serve)[^|;&]*$/.test(command) ? inProcess(actual) : inShell(folder, actual))
    last = ran.code
    const said = renamed(ran.output, documented)
    if (isAsShown(said, output)) t.pass(command)
    else t.equal(said, output, command)
  }
}

type Here = (t: Test, fence: Fence, next: Fence | undefined) => Promise<void>

/** Blocks that are run otherwise than as a transcript: how they begin, and how. */
const here: Readonly<Record<string, Readonly<Record<string, Here>>>> = {
  'README.md': { 'import assert': program },
  'docs/embedding.md': { 'import assert': program },
  'docs/library.md': { 'import { VariantA': library },
  'docs/policy.md': {
    '{\n  "callers"': async t => {
      folderOf(t)
      t.match(await run(['policy', 'check', 'documented-policy.json']), {
        code: 0, stdout: '✓ callers: anonymous, back-office\n'
      })
    },
    '$ key=': apiKey
  },
  'docs/specification.md': {
    '{\n': async (t, { text }, next) => {
      const request = JSON.parse(text)
      const Signer = 'operationType' in request ? VariantA : VariantB
      const shown = next?.text.match(/^[0-9a-f]{64}/gm) ?? []
      t.equal(new Signer('development-only-token').sign(request), shown.join('///'))
    }
  },
  'docs/configuration.md': {
    'STRICT_MODE is not': async (t, { text }) => {
      folderOf(t, { STRICT_MODE: 'true', NODE_ENV: 'Production' })
      const { stderr } = await run(['serve', '--check'])
      for (const line of text.trim().split('\n')) t.match(stderr, `payment-signature-backend: warning: ${line}\n`)
    }
  },
  'docs/production.md': {
    '$ key=': apiKey,
    'MERCHANT_TOKEN_FILE=': async t => {
      const blocks = fencesOf('docs/production.md').filter(({ text }) => /^(?:[A-Z_]+=\S*\n)+$/.test(text))
      t.ok(blocks.length > 3)
      const variables = parseEnv(blocks.map(({ text }) => text).join('')
        .replace('/run/secrets/merchant-token', './production-token')
        .replace('/etc/payment-signature/policy.json', './production-policy.json')
        .replace('/var/log/payment-signature/audit.log', './audit.log'))
      folderOf(t, variables as Record<string, string>)
      t.match(await run(['serve', '--check']), { code: 0, stderr: '' }, 'it leaves nothing open')
    }
  },
  'vectors/README.md': {
    'python3 -': async (t, { text }, next) => {
      const { output } = await inShell(folderOf(t), text)
      t.equal(output, next?.text)
    }
  }
}

/** A program that asserts what it shows. */
async function program (t: Test, { text }: Fence): Promise<void> {
  const folder = t.testdir({ 'program.mjs': text }) // below the package, which can import itself by its name
  await t.resolves(import(pathToFileURL(join(folder, 'program.mjs')).href))
}

/** A new key, and its digest. */
async function apiKey (t: Test, { text }: Fence): Promise<void> {
  const { output } = await inShell(folderOf(t), text.slice(2))
  const [key = '', digest] = output.split('\n')
  t.match(key, /^[0-9a-f]{64}$/)
  t.equal(digest, `${createHash('sha256').update(key).digest('hex')}  -`)
}

/** All of docs/library.md as one program, whose output is what is shown after its blocks. */
async function library (t: Test): Promise<void> {
  const fences = fencesOf('docs/library.md')
  const program = fences.filter(({ language }) => language === 'js').map(({ text }) => text).join('')
  const shown = fences.filter(({ language }) => language === '').map(({ text }) => text).join('')
  const folder = t.testdir({ 'program.mjs': program })
  const { output } = await inShell(folder, 'MERCHANT_TOKEN=development-only-token node program.mjs')
  t.equal(output, shown)
}

const used = new Set<unknown>()

for (const document of documents) {
  const accounts = elsewhere[document] ?? []
  const own = here[document] ?? {}
  for (const [index, fence] of fencesOf(document).entries()) {
    if (fence.language === 'mermaid') continue // a drawing
    t.test(`${document}:${fence.line}`, { skip: lacks(fence.text) }, async t => {
      const begins = Object.keys(own).find(begins => fence.text.startsWith(begins))
      const account = accounts.find(({ begins }) => fence.text.startsWith(begins))
      used.add(begins === undefined ? account : `${document} ${begins}`)
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
  const own = Object.entries(here).flatMap(([document, blocks]) => Object.keys(blocks).map(begins => `${document} ${begins}`))
  t.strictSame(own.filter(block => !used.has(block)), [])
  for (const document of [...Object.keys(elsewhere), ...Object.keys(here)]) t.ok(documents.includes(document), document)
})
