import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { toRefusedError } from '../support/command-line.js'
import { body, sign, signature } from '../support/example.js'
import { listening, root, start } from '../support/server.js'

/** Runs the built program as it is installed. Uses env -i, because the test runner instruments what a test starts. */
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const program = join(root, bin['payment-signature'])
const env = (variables: string[] = []): string[] => ['-i', `PATH=${process.env.PATH}`, ...variables, process.execPath, program]
const token = 'MERCHANT_TOKEN=development-only-token'

t.test('a request from a pipe is signed', async t => {
  const { status, stdout, stderr } = spawnSync('env', [...env([token]), 'sign'], { input: body, encoding: 'utf8' })
  t.equal(stdout, `${signature}\n`)
  t.equal(stderr, '')
  t.equal(status, 0)
})

t.test('a closed pipe is not an error', async t => {
  const child = spawn('env', [...env([token]), '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy() // before any output: the program needs longer to start
  const [stderr, [code]] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'close')])
  t.equal(stderr.join(''), '')
  t.equal(code, 0)
})

t.test('a full disk, endless input and deeply nested input are errors', { skip: !existsSync('/dev/full') && 'there is no /dev/full' }, async t => {
  const brackets = `{"sid":${'['.repeat(240_000)}${']'.repeat(240_000)}}`
  const { message, code } = toRefusedError(brackets)
  for (const [command, stderr, input = '', status = 2] of [
    ['explain sid=s clientTimeStamp=1 accountNumber=1 > /dev/full', 'payment-signature: standard output cannot be written (ENOSPC)\n'],
    ['diagnose sid=s --signature x --json > /dev/full', '{"error":"standard output cannot be written (ENOSPC)","code":null}\n'],
    ['sign sid=s --token-file /dev/zero 2> /dev/full', ''],
    ['sign < /dev/zero', 'payment-signature: standard input is longer than 8 MiB\n'],
    ['sign', `payment-signature: ${message}\n`, brackets, code]
  ] as const) {
    const args = ['-i', `PATH=${process.env.PATH}`, token, 'sh', '-c', `"${process.execPath}" "${program}" ${command}`]
    t.match(spawnSync('env', args, { input, encoding: 'utf8' }), { status, stdout: '', stderr: stderr === '' ? /^$/ : stderr }, command)
  }
})

t.test('serve loads no file of another command', async t => {
  const hook = `import { writeSync } from 'node:fs'
    export const load = (url, context, next) => { if (url.includes('/tools/')) writeSync(1, url + '\\n'); return next(url, context) }`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)})`
  const args = ['-i', `PATH=${process.env.PATH}`, token, process.execPath, '--import', `data:text/javascript,${encodeURIComponent(register)}`, program]
  const { stdout } = spawnSync('env', [...args, 'serve', '--check'], { encoding: 'utf8' })
  t.strictSame([...stdout.matchAll(/\/tools\/(.*)\.js/g)].map(([, name = '']) => name).toSorted(),
    [...['command', 'commands', 'main', 'payment-signature', 'serve-command'].map(name => `command-line/${name}`), 'explain/characters'])
})

t.test('serve --check prints a line, and one for each merchant with its key check value', async t => {
  const merchants = [
    { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' },
    { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
  ]
  const cwd = t.testdir({ 'merchants.json': JSON.stringify({ merchants }), 'policy.json': '{' })
  chmodSync(join(cwd, 'merchants.json'), 0o600)
  const check = (variables: string[]) => spawnSync('env', [...env(variables), 'serve', '--check'], { cwd, encoding: 'utf8' })
  t.match(check([token, 'NODE_ENV=test']), {
    status: 0, stderr: '', stdout: 'payment-signature: the configuration can be used: variant A, token from MERCHANT_TOKEN, 22 characters, key check value 63e1e6, guards: none\n'
  })
  const { status, stdout } = check(['MERCHANTS_FILE=./merchants.json'])
  t.equal(status, 0)
  t.match(stdout, /^payment-signature: the configuration can be used: variant A,B, .*\npayment-signature: merchant shop-1, key check value 221ca6\npayment-signature: merchant shop-2, key check value 9b42eb\n$/)
  for (const variables of [['POLICY_FILE=./policy.json'], ['POLICY_FILE=./nowhere'], ['VARIANT=C']]) {
    t.match(check([token, 'NODE_ENV=test', ...variables]), { status: 2, stdout: '', stderr: /^payment-signature: (?:POLICY_FILE|VARIANT) is [^\n]+\n$/ })
  }
  t.equal(spawnSync('env', [...env([token]), 'check-policy', 'policy.json'], { cwd }).status, 2)
  t.equal(spawnSync('env', [...env([token, 'VARIANT=C']), 'sign', 'sid=s'], { cwd }).status, 2)
})

t.test('serve runs the service', async t => {
  const service = start(t, 'env', [...env(['PORT=0', 'HOST=127.0.0.1']), 'serve'], { cwd: root, env: {} })
  const [, port = ''] = await service.says(listening)
  t.same(await sign(port), { signature })
  t.equal(await service.terminate(), 0)
})
