import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { toRefusedError } from '../support/command-line.js'
import { lacking } from '../support/installed.js'
import { temporaryFolder } from '../support/scope.js'
import { root } from '../support/server.js'

/** Runs the built program as it is installed. Uses env -i, because the test runner instruments what a test starts. */
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const program = join(root, bin['payment-signature'])
const env = (variables: string[] = []): string[] => ['-i', `PATH=${process.env.PATH}`, ...variables, process.execPath, program]
const token = 'MERCHANT_TOKEN=development-only-token'

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
    [...['command', 'main', 'payment-signature', 'serve-command'].map(name => `command-line/${name}`), 'explain/characters'])
})

t.test('serve --check prints a line for each merchant with its key check value', async t => {
  const merchants = [
    { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' },
    { name: 'shop-2', accountNumbers: ['200417'], token: 'token-of-shop-2-8ce1a5', variant: 'B' }
  ]
  const cwd = t.testdir({ 'merchants.json': JSON.stringify({ merchants }) })
  chmodSync(join(cwd, 'merchants.json'), 0o600)
  const { status, stdout } = spawnSync('env', [...env(['MERCHANTS_FILE=./merchants.json']), 'serve', '--check'], { cwd, encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /^payment-signature: the configuration can be used: variant A,B, .*\npayment-signature: merchant shop-1, key check value 221ca6\npayment-signature: merchant shop-2, key check value 9b42eb\n$/)
})

t.test('doctor names what is wrong with a certificate', { skip: lacking('openssl') }, async t => {
  const cwd = temporaryFolder(t, 'tls-')
  const make = (commands: string) => execFileSync('bash', ['-ec', commands], { cwd, stdio: 'pipe' })
  make(`
    key='-newkey rsa:2048 -nodes'
    openssl req -x509 $key -keyout root.key -out root.pem -days 2 -subj /CN=Root -addext basicConstraints=critical,CA:TRUE
    openssl req $key -keyout middle.key -out middle.csr -subj /CN=Intermediate
    openssl x509 -req -in middle.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 -out middle.pem -extfile <(echo basicConstraints=critical,CA:TRUE)
    openssl req $key -keyout leaf.key -out leaf.csr -subj /CN=localhost
    leaf () { openssl x509 -req -in leaf.csr -CA $1.pem -CAkey $1.key -CAcreateserial -extfile <(echo subjectAltName=DNS:$2) -out $3 -days $4; }
    leaf middle localhost leaf.pem 2; leaf middle other.example other.pem 2; leaf root localhost expired.pem 0
    cat leaf.pem middle.pem > full.pem; cat other.pem middle.pem > other-full.pem
    openssl req -x509 $key -keyout self.key -out self.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`)
  const read = (name: string) => readFileSync(join(cwd, name))
  for (const [certificate, key, isTrusted, code, advice] of [
    ['leaf.pem', 'leaf.key', true, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The server does not send the intermediate certificate: configure the full chain (fullchain.pem). ' +
      'If a CA of your own has signed the certificate directly, set NODE_EXTRA_CA_CERTS to the CA\'s file.'],
    ['full.pem', 'leaf.key', false, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'This machine does not trust the CA of the certificate: set NODE_EXTRA_CA_CERTS to the CA\'s file.'],
    ['self.pem', 'self.key', false, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'This machine does not trust the CA of the certificate: set NODE_EXTRA_CA_CERTS to the CA\'s file.'],
    ['other-full.pem', 'leaf.key', true, 'ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate has other host names: check the URL, and the proxy\'s server for this name.'],
    ['expired.pem', 'leaf.key', true, 'CERT_HAS_EXPIRED', 'Renew the certificate, and reload the proxy.'],
    ['full.pem', 'leaf.key', true, '']
  ] as const) {
    const server = createServer({ cert: read(certificate), key: read(key) }, (_request, response) => { response.writeHead(404).end() }).listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const url = `https://localhost:${(server.address() as AddressInfo).port}`
    const trust = isTrusted ? [`NODE_EXTRA_CA_CERTS=${cwd}/root.pem`] : []
    const { stdout } = await promisify(execFile)('env', [...env(trust), 'doctor', url]).catch(error => error)
    if (code === '') t.match(stdout, '✗ reachable')
    else t.equal(stdout, `${url}\n✗ connection  ${url}: ${code}\n              → ${advice}\n`)
  }
})
