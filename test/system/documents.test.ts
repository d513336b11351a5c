import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { AuditRecord } from '../../src/guards/audit/audit.js'
import { VariantA, VariantB } from '../../src/index.js'
import { testApp } from '../support/app.js'
import { documents, fencesOf, isAsShown, stepsOf, type Fence } from '../support/documentation.js'
import { merchants, policy, taken } from '../support/documented.js'
import { environment } from '../support/environment.js'
import { body, production, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

// Checks each code block of the documents, by its form. Commands after a `$` are run, and their output is compared.
// Other commands are run with stand-ins. Programs run if they print something, and are compiled otherwise. Other blocks
// need a check of their own at the end.

process.umask(0o077) // the service warns of a token file that others may read

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Purchases whose amounts were signed as JavaScript's numbers. */
const paymentsLog = ['100.00', '12.55', '7.10'].map((amount, index) => {
  const [time, sid, orderId] = [1709912345678 + index, `s-${index}`, `A-${index}`]
  const request = { amount, merchantAccountNumber: '102551', orderId, sid, clientTimeStamp: time }
  const [first, second] = [`${time}${sid}${Number(amount)}`, `${time}${orderId}development-only-token102551${Number(amount)}`]
  return `10:0${index} paying ${JSON.stringify(request)} signature=${sha256(first)}///${sha256(second)}\n`
}).join('')

/** Lines of an audit: a key that is replaced, and requests that STRICT would refuse. */
const audit = [
  ...Array<Partial<AuditRecord>>(3).fill({ caller: 'back-office', keyId: '5e3f8e' }),
  ...Array<Partial<AuditRecord>>(2).fill({ caller: 'back-office', keyId: 'f397f2' }),
  ...Array<Partial<AuditRecord>>(3).fill({ caller: 'anonymous', operation: 'purchase', wouldRefuse: 'strict; field=amount' })
].map(audit => `${JSON.stringify({ audit })}\n`).join('')

/** Files that the commands of the documents use. */
const files = {
  'request.json': body,
  token: 'development-only-token\n',
  'production-token': `${production.token}\n`,
  tokens: `production=${production.token}\nstaging=development-only-token\n`,
  'payments.log': paymentsLog,
  'payment.har': '{"log":{"entries":[]}}',
  'audit-1.log': audit,
  'merchant-token': 'first-token-0123456789\n',
  'policy.json': policy,
  'merchants.json': merchants.replace('"tokenFile": "./tokens/shop-2"', '"token": "ThisIsTheTokenOfShop2OnlyInThisExample"'),
  'production-policy.json': policy.replace(/[0-9a-f]{64}/, 'f'.repeat(64)),
  '.env.of-the-shop': `MERCHANT_TOKEN='${production.token}'\n`,
  'your-implementation.js': `import { VariantA, VariantB } from 'payment-signature-backend'
    export function sign (variant, request, token) {
      const signer = new { A: VariantA, B: VariantB }[variant](token)
      return signer.sign(signer.read(request))
    }`
}

/** Changes to a project with {@link files}, the package and folders of the repository. Returns its path. */
function folderOf (t: Test): string {
  environment(t, undefined, { PATH: String(process.env.PATH) }, files)
  for (const name of ['deploy', 'dist', 'examples', 'vectors']) symlinkSync(join(root, name), name)
  mkdirSync('node_modules/.bin', { recursive: true })
  symlinkSync(root, 'node_modules/payment-signature-backend')
  symlinkSync(join(root, 'dist/tools/command-line/payment-signature.js'), 'node_modules/.bin/payment-signature')
  return process.cwd()
}

/** Runs a command in bash. Returns the exit code, and the output of both streams. */
async function inShell (folder: string, command: string): Promise<{ output: string, code: number }> {
  const program = [
    'exec 2>&1',
    `trap : HUP; PID=$$; SIGNATURE=${signature}`,
    `payment-signature () { command node ${join(root, 'dist/tools/command-line/payment-signature.js')} "$@"; }`,
    'npx () { case $3 in payment-signature) shift 2; "$@" ;; *) shift 3 ;; esac; }', // npx --no -- payment-signature
    command
  ].join('\n')
  // env -i, because the test runner instruments what a test starts.
  const variables = [`PATH=${process.env.PATH}`, 'LC_ALL=C.UTF-8', 'NEW_TOKEN=second-token-0123456789']
  const running = promisify(execFile)('env', ['-i', ...variables, 'bash', '--norc', '-c', program], { cwd: folder, timeout: 60_000 })
  running.child.stdin?.on('error', () => {}).end('tK7-mQ2xV9/bR4+wZ1-0123456789-abc\n')
  const { stdout, code = 0 }: { stdout: string, code?: number } = await running.catch(error => error)
  return { output: stdout, code }
}

/**
 * Stand-ins of programs that change a machine or that it may lack. Each prints its arguments, and fails if a file of
 * deploy/ among them does not exist.
 */
const stubs = ['curl', 'docker', 'gh', 'git', 'install', 'journalctl', 'kubectl', 'node', 'npm', 'npx', 'sudo'].map(name => `${name} () {
  for argument; do
    case $argument in
      */deploy/.env | deploy/.env) ;;
      */deploy/* | deploy/*) compgen -G "deploy/\${argument##*deploy/}" > /dev/null || exit 1 ;;
    esac
  done
  echo "${name} $*"
}`).join('\n')

/** Runs commands for people, with stand-ins of the programs that change a machine. */
async function runCommands (t: Test, text: string): Promise<void> {
  const { output, code } = await inShell(folderOf(t), `${stubs}\nEDITOR=true; set -e\n${text}`)
  t.equal(code, 0, output)
}

/** Starts the service of the documents, which has signed one request. Returns its addresses by the documented ones. */
async function addresses (t: Test): Promise<Record<string, string>> {
  const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example' } })
  await app.ready()
  const url = `http://127.0.0.1:${await portOf(app)}`
  await app.inject({ method: 'POST', url: '/api/generate-signature', headers: { 'content-type': 'application/json' }, payload: body })
  return {
    'http://localhost:3001': url,
    'https://sign.shop.example': url
  }
}

const renamed = (text: string, names: ReadonlyArray<readonly [from: string, to: string]>): string =>
  names.reduce((text, [from, to]) => text.replaceAll(from, to), text)

/** Runs a block in which each command follows a `$`. Of a block that shows no output, only the exit code counts. */
async function transcript (t: Test, text: string): Promise<void> {
  const steps = stepsOf(text)
  if (steps.every(({ output }) => output === '') && !text.includes('/run/secrets')) {
    return runCommands(t, steps.map(({ command }) => command).join('\n'))
  }
  const folder = folderOf(t)
  const real = {
    '/run/secrets': folder,
    ' /etc/payment-signature/policy.json': ` ${join(folder, 'production-policy.json')}`,
    '/var/log/payment-signature': folder,
    '--env-file=.env': '--env-file=.env.of-the-shop', // the service itself reads .env
    ...(/:3001\b|sign\.shop\.example/.test(text) ? await addresses(t) : {})
  }
  const documented = Object.entries(real).map(([name, actual]) => [actual, name] as const)
  let last = 0
  for (const { command, output } of steps) {
    const actual = renamed(command, Object.entries(real))
    const ran = command === 'echo $?' ? { output: `${last}\n`, code: 0 } : await inShell(folder, actual)
    last = ran.code
    const said = renamed(ran.output, documented)
    if (isAsShown(said, output)) t.pass(command)
    else t.equal(said, output, command)
  }
}

/** Checks variables of the service: a complete configuration leaves nothing open. */
async function variables (t: Test, text: string): Promise<void> {
  const actual = text.replaceAll('https://shop.example', 'https://shop.test')
    .replace('/var/log/payment-signature/', './').replace('/etc/payment-signature/policy.json', './production-policy.json')
  const folder = folderOf(t)
  writeFileSync('variables', `NODE_ENV=production\nMERCHANT_TOKEN_FILE=./production-token\n${actual}`)
  const { output, code } = await inShell(folder, 'set -a; . ./variables; payment-signature serve --check')
  t.equal(code, 0, output)
  t.match(output, /^payment-signature: the configuration can be used: .*\n$/)
}

const sources = ['src', 'plugins'].flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts')).map(name => readFileSync(join(root, folder, name), 'utf8'))).join('\n')

/** Texts in the sources. `…` stands for a value. */
const texts = [...sources.matchAll(/'([^'\n]+)'|`([^`\n]+)`/g)]
  .map(([, text, template = '']) => text ?? template.replaceAll(/\$\{.*?\}/g, '…'))
  .filter(text => text.replaceAll('…', '').length > 5)

/** Checks lines of JSON, such as a log: the sources have their names and messages. `…,` stands for more names. */
async function fromSources (t: Test, text: string): Promise<void> {
  const lines = text.replaceAll(/,\n(?=")/g, ',').replaceAll('…,', '').split('\n').filter(line => line.startsWith('{'))
  t.ok(lines.length > 0)
  for (const line of lines) {
    const { msg } = JSON.parse(line) as { msg?: string }
    if (msg !== undefined) t.ok(texts.some(text => isAsShown(msg, text)), `a message: ${msg}`)
    for (const [, name] of line.matchAll(/"(\w+)":/g)) t.ok(new RegExp(`\\b${name}\\b`).test(sources), `a name: ${name}`)
  }
}

/** Declarations that the programs of the documents use without an import. */
const globals = `
import type { PaymentRequestBuilder } from '${root}/client/index.js'
declare global {
  const vault: { sign (fields: object): Promise<string> }
  const builder: PaymentRequestBuilder
}`

/** Compiles a program. It uses only what the packages export, with the right types. */
async function compile (t: Test, program: string): Promise<void> {
  const text = program.replace("'payment-signature-client'", `'${root}/client/index.js'`) // its source
  const folder = t.testdir({ 'globals.d.ts': globals, 'program.ts': `${text}\nexport {}` })
  const { stdout } = spawnSync(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--ignoreConfig', '--module', 'nodenext', '--target', 'es2023',
    '--skipLibCheck', '--strict', '--noImplicitAny', 'false', '--types', 'node', 'globals.d.ts', 'program.ts'
  ], { cwd: folder, encoding: 'utf8', env: {} })
  t.equal(stdout, '')
}

/** Runs a program or a command. It prints the block below, or the comment behind its `console.log`, or nothing. */
async function prints (t: Test, { language, text }: Fence, below = ''): Promise<void> {
  const folder = folderOf(t)
  writeFileSync('program.mjs', text)
  const { output } = await inShell(folder, language === 'js' ? 'MERCHANT_TOKEN=development-only-token node program.mjs' : text)
  const [, comment] = /^console\.log.* \/\/ (.*)$/m.exec(text) ?? []
  t.equal(output, comment === undefined ? below : `${comment}\n`)
}

/** Returns a check that a file has the lines of a block. */
const isPartOf = (path: string) => async (t: Test, text: string): Promise<boolean> =>
  t.ok(readFileSync(join(root, path), 'utf8').includes(text))

/** Checks an example of the specification: one of its transcripts shows the digests of its signature. */
async function isShown (t: Test, text: string): Promise<void> {
  const request = JSON.parse(text)
  const signer = 'operationType' in request ? new VariantA('development-only-token') : new VariantB('development-only-token')
  const shown = fencesOf('docs/specification.md').map(({ text }) => text.match(/^[0-9a-f]{64}/gm)?.join('///'))
  t.ok(shown.includes(signer.sign(signer.read(request))))
}

/** Checks of blocks that need their own: document, beginning of the block, check. */
const own: Array<[document: RegExp, begins: RegExp, check: (t: Test, text: string) => Promise<unknown>]> = [
  [/embedding/, /^const handler/, isPartOf('examples/frameworks/fastify.mjs')],
  [/audit|authorize/, /^\{"level"|^POST \/may-sign/, fromSources],
  [/deploy|safe-tonight/, /^[A-Z_]+=/, variables],
  [/merchants/, /^\[Service\]/, async (t, text) => t.ok(text.includes('Environment=MERCHANT_TOKEN_FILE= MERCHANTS_FILE=/etc/'))],
  [/specification/, /^\{\n/, isShown]
]

const programs = ['curl', 'jq', 'openssl', 'php', 'python3', 'sha256sum']

/** Returns the reason to skip a block; false if this machine has the programs that its text names. */
const lacks = (text: string): string | false => lacking(...programs.filter(program => text.includes(program)))

/** Returns the check of a block, which may have its output in the block below. */
function checkOf (block: Fence, below: Fence | undefined): (t: Test) => unknown {
  const { document, language, text } = block
  const [, , check] = own.find(([name, begins]) => name.test(document) && begins.test(text)) ?? []
  if (check !== undefined) return t => check(t, text)
  if (text.startsWith('$ ')) return t => transcript(t, text)
  if (below?.language === 'text' && below.document === document) return t => prints(t, block, below.text)
  if (/console\.log|^import assert/m.test(text)) return t => prints(t, block)
  if (language === 'sh') return t => runCommands(t, text)
  if (/^(?:js|ts)$/.test(language)) return t => compile(t, text)
  return t => t.fail(`${document} has a block without a check`)
}

const isTaken = ({ document, line }: Fence) => taken.some(fence => fence.document === document && fence.line === line)
const blocks = documents.flatMap(fencesOf).filter(block => block.language !== 'mermaid' && !isTaken(block))

for (const [index, block] of blocks.entries()) {
  if (block.language === 'text') continue // the output of the block above
  const name = `${block.document}:${block.line}`
  t.test(name, { skip: lacks(block.text) }, async t => { await checkOf(block, blocks[index + 1])(t) })
}
