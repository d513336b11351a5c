import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { AuditRecord } from '../../src/signing/options.js'
import { VariantA, VariantB } from '../../src/index.js'
import { testApp } from '../support/app.js'
import { run } from '../support/command-line.js'
import { documents, fencesOf, isAsShown, stepsOf } from '../support/documentation.js'
import { merchants, policy, taken } from '../support/documented.js'
import { environment } from '../support/environment.js'
import { body, production, signature } from '../support/example.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

// Checks each code block of the documents. Transcripts, whose commands follow a `$`, are run, and their output is
// compared. Other commands are run with stand-ins, programs are compiled, lines of logs are looked up in the sources.

process.umask(0o077) // the service warns of a token file that others may read

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Purchases whose amounts were signed as JavaScript's numbers. */
const paymentsLog = ['100.00', '12.55', '7.10'].map((amount, index) => {
  const [time, sid, orderId] = [1709912345678, `s-${index}`, `A-${index}`]
  const request = { amount, merchantAccountNumber: '102551', orderId, sid, clientTimeStamp: time }
  const [first, second] = [`${time}${sid}${Number(amount)}`, `${time}${orderId}development-only-token102551${Number(amount)}`]
  return `10:0${index} paying ${JSON.stringify(request)} signature=${sha256(first)}///${sha256(second)}\n`
}).join('')

/** Lines of an audit: a key that is replaced, and requests that STRICT would refuse. */
const audit = [
  ...Array<Partial<AuditRecord>>(3).fill({ caller: 'back-office', apiKey: 'c018c4' }),
  ...Array<Partial<AuditRecord>>(2).fill({ caller: 'back-office', apiKey: 'f397f2' }),
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
  'production-policy.json': policy.replace(/[0-9a-f]{64}/, 'f'.repeat(64))
}

/** Changes to a folder with {@link files} and the folders of the repository that commands use. Returns its path. */
function folderOf (t: Test, variables: Record<string, string> = {}): string {
  environment(t, undefined, { PATH: String(process.env.PATH), ...variables }, files)
  for (const name of ['deploy', 'dist', 'examples', 'vectors']) symlinkSync(join(root, name), name)
  return process.cwd()
}

/** Runs a command in bash. Returns the exit code, and the output of both streams. */
async function inShell (folder: string, command: string): Promise<{ output: string, code: number }> {
  const program = [
    'exec 2>&1',
    'trap : HUP; PID=$$',
    `payment-signature () { command node ${join(root, 'dist/tools/command-line/payment-signature.js')} "$@"; }`,
    'npx () { shift 2; "$@"; }', // npx --no -- payment-signature
    command
  ].join('\n')
  // env -i, because the test runner instruments what a test starts.
  const variables = [`PATH=${process.env.PATH}`, 'LC_ALL=C.UTF-8', 'NEW_TOKEN=second-token-0123456789']
  const running = promisify(execFile)('env', ['-i', ...variables, 'bash', '--norc', '-c', program], { cwd: folder })
  running.child.stdin?.on('error', () => {}).end('tK7-mQ2xV9/bR4+wZ1-0123456789-abc\n')
  const { stdout, code = 0 }: { stdout: string, code?: number } = await running.catch(error => error)
  return { output: stdout, code }
}

/** Runs a command in this process, which takes a tenth of the time. */
async function inProcess (command: string): Promise<{ output: string, code: number }> {
  const words = command.replaceAll('$SIGNATURE', signature).match(/'[^']*'|"(?:\\.|[^"])*"|\S+/g) ?? []
  const args = words.slice(1).map(word => word.replace(/^(['"])([^]*)\1$/, '$2').replaceAll('\\"', '"'))
  const { stdout, stderr, code } = await run(args, { env: { PATH: process.env.PATH } })
  return { output: stderr + stdout, code }
}

/**
 * Stand-ins of programs that change a machine or that it may lack. Each prints its arguments, and fails if a file of
 * deploy/ among them does not exist.
 */
const stubs = ['curl', 'docker', 'gh', 'git', 'install', 'journalctl', 'kubectl', 'node', 'npm', 'sudo'].map(name => `${name} () {
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
    '/etc/payment-signature/policy.json': join(folder, 'production-policy.json'),
    '/var/log/payment-signature': folder,
    ...(/:3001\b|sign\.shop\.example/.test(text) ? await addresses(t) : {})
  }
  const documented = Object.entries(real).map(([name, actual]) => [actual, name] as const)
  let last = 0
  for (const { command, output } of steps) {
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

/** Checks variables of the service that documents show: a complete configuration leaves nothing open. */
async function checkVariables (t: Test, blocks: string[], warning = /./): Promise<void> {
  const text = blocks.join('').replaceAll('https://shop.example', 'https://shop.test')
    .replace('/var/log/payment-signature/', './').replace('/etc/payment-signature/policy.json', './production-policy.json')
    .replace('/etc/payment-signature/merchant-token', './production-token')
  folderOf(t, { MERCHANT_TOKEN_FILE: './production-token', NODE_ENV: 'production', ...parseEnv(text) as Record<string, string> })
  const { code, stderr } = await run(['serve', '--check'])
  t.equal(code, 0)
  t.notMatch(stderr, warning)
}

const sources = ['src', 'plugins'].flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts')).map(name => readFileSync(join(root, folder, name), 'utf8'))).join('\n')

/** Texts in the sources. `…` stands for a value. */
const texts = [...sources.matchAll(/'([^'\n]+)'|`([^`\n]+)`/g)]
  .map(([, text, template = '']) => text ?? template.replaceAll(/\$\{.*?\}/g, '…'))
  .filter(text => text.replaceAll('…', '').length > 5)

/** Checks lines of JSON, such as a log: the sources have their names and messages. `…,` stands for more names. */
async function areFromSources (t: Test, blocks: string[]): Promise<void> {
  const lines = blocks.join('').replaceAll(/,\n(?=")/g, ',').replaceAll('…,', '').split('\n').filter(line => line.startsWith('{'))
  t.ok(lines.length > 0)
  for (const line of lines) {
    const { msg } = JSON.parse(line) as { msg?: string }
    if (msg !== undefined) t.ok(texts.some(text => isAsShown(msg, text)), `a message: ${msg}`)
    for (const [, name] of line.matchAll(/"(\w+)":/g)) t.ok(new RegExp(`\\b${name}\\b`).test(sources), `a name: ${name}`)
  }
}

/** Declarations that the programs of the documents use without an import. */
const globals = `
import type * as fastify from 'fastify'
import type { PaymentRequestBuilder } from 'payment-signature-backend/client'
declare global {
  const app: fastify.FastifyInstance
  const cors: typeof import('@fastify/cors').default
  const paymentSignature: typeof import('payment-signature-backend/fastify').default
  const merchantToken: string
  const vault: { sign (fields: object): Promise<string> }
  const builder: PaymentRequestBuilder
  const button: { disabled: boolean }
  const notice: { textContent: string }
  function report (error: unknown): void
  function userOf (cookie: string | undefined): Promise<string | undefined>
  function findOrder (id: unknown): Promise<Record<'user' | 'accountNumber' | 'amount', string> | undefined>
}`

/** Compiles programs. They use only what the packages export, with the right types. */
async function compile (t: Test, blocks: string[]): Promise<void> {
  const programs = blocks.map(block => block
    .replace("'payment-signature-client'", "'payment-signature-backend/client'") // the same client
    .replace('payload) =>', 'payload: any) =>') + '\nexport {}')
  const folder = t.testdir({
    'globals.d.ts': globals, ...Object.fromEntries(programs.map((program, index) => [`program-${index}.ts`, program]))
  })
  const { stdout } = spawnSync(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--ignoreConfig', '--module', 'nodenext', '--target', 'es2023',
    '--skipLibCheck', '--strict', '--noImplicitAny', 'false', '--useUnknownInCatchVariables', 'false', '--types', 'node',
    'globals.d.ts', ...programs.map((_, index) => `program-${index}.ts`)
  ], { cwd: folder, encoding: 'utf8', env: {} })
  t.equal(stdout, '')
}

/** Checks of the code blocks that are not transcripts: documents, how the text of the blocks begins, and the check. */
const checks: Array<[documents: RegExp, begins: RegExp, check: (t: Test, blocks: string[]) => unknown]> = [
  // The programs of the library, and what they print.
  [/embedding/, /^(?:import \{ VariantA|const \{ causes|Between)/, async (t, blocks) => {
    const prints = (block: string) => block.startsWith('Between')
    const folder = t.testdir({ 'program.mjs': blocks.filter(block => !prints(block)).join('') })
    const { output } = await inShell(folder, 'MERCHANT_TOKEN=development-only-token node program.mjs')
    t.equal(output, blocks.filter(prints).join(''))
  }],
  [/browser|embedding/, /^import|^app\./, compile],
  [/operations|authorization/, /^\{"level"|^POST \/may-sign/, areFromSources],
  [/authorization/, /^POLICY_FILE=/, (t, blocks) => checkVariables(t, blocks, /is not a variable/)],
  [/deploy/, /^POLICY_FILE=/, checkVariables],
  [/specification/, /^\{\n/, (t, blocks) => {
    const transcripts = fencesOf('docs/specification.md').filter(({ text }) => text.startsWith('$ printf'))
    for (const [index, block] of blocks.entries()) {
      const signer = index === 0 ? new VariantA('development-only-token') : new VariantB('development-only-token')
      t.equal(signer.sign(JSON.parse(block)), transcripts[index]?.text.match(/^[0-9a-f]{64}/gm)?.join('///'))
    }
  }],
  [/vectors/, /^(?:python3|f0ba15d6)/, async (t, [text, shown]) => {
    t.equal((await inShell(folderOf(t), text!)).output, shown)
  }],
  [/vectors/, /^import assert/, async (t, [text]) => {
    const folder = t.testdir({ 'program.mjs': text! })
    await t.resolves(import(pathToFileURL(join(folder, 'program.mjs')).href))
  }]
]

const programs = ['curl', 'jq', 'openssl', 'php', 'python3', 'sha256sum']

/** Returns the reason to skip a block; false if this machine has the programs that its text names. */
const lacks = (text: string): string | false => lacking(...programs.filter(program => text.includes(program)))

const blocks = documents.flatMap(fencesOf).filter(({ language }) => !['mermaid', 'kotlin'].includes(language))
const left = new Set(blocks.map(({ document, line }) => `${document}:${line}`))
for (const { document, line } of taken) left.delete(`${document}:${line}`)

for (const [documents, begins, check] of checks) {
  const own = blocks.filter(({ document, line, text }) =>
    documents.test(document) && begins.test(text) && left.delete(`${document}:${line}`))
  const name = own.map(({ document, line }) => `${document}:${line}`).join(', ')
  t.test(`${name} ${begins}`, { skip: lacks(own.map(({ text }) => text).join('')) }, async t => {
    t.ok(own.length > 0, 'there is such a block')
    await check(t, own.map(({ text }) => text))
  })
}

for (const { document, line, language, text } of blocks) {
  const isTranscript = text.startsWith('$ ')
  if ((!isTranscript && language !== 'sh') || !left.delete(`${document}:${line}`)) continue
  t.test(`${document}:${line}`, { skip: lacks(text) }, t => isTranscript ? transcript(t, text) : runCommands(t, text))
}

t.test('each code block is checked', async t => t.strictSame([...left], []))
