import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { serve } from '../support/backend.js'
import { withoutBrowser } from '../support/browser.js'
import { cronLines, eightAnswers, installSteps } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking, pathOf } from '../support/installed.js'
import { answersOf, asDocumented, besideShop } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { alert, checkout, eightRequests, shopPolicy } from '../support/shop.js'

// The steps of docs/safe-tonight.md. `npm run foreign express-4 express-5` has the route in Express.

const { maySign } = await import(join(root, 'examples/may-sign/fastify.mjs'))

const shops = join(root, 'test/support/shops')
const routes = join(root, 'examples/may-sign')

/** Starts examples/frameworks/fastify.mjs in a project of its own. */
function fastifyExample (t: Test, variables: Record<string, string>): Server {
  const folder = temporaryFolder(t, 'shop-')
  for (const file of ['fastify.mjs', 'fastify-route.mjs', 'shop.mjs']) cpSync(join(root, 'examples/frameworks', file), join(folder, file))
  writeFileSync(join(folder, 'policy.json'), shopPolicy)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/payment-signature-backend'))
  symlinkSync(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'))
  const env = { PATH: process.env.PATH, MERCHANT_TOKEN: production.token, ...variables }
  return start(t, process.execPath, ['fastify.mjs'], { cwd: folder, env })
}

/** Starts a shop on Fastify with the route of examples/may-sign. Returns its port. */
async function fastifyShop (t: Test): Promise<number> {
  const orders = new Map([['1001', [7, false]], ['1002', [8, false]], ['1003', [7, true]], ['1004', [null, false]]])
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('session')
  app.addHook('onRequest', async request => {
    Object.assign(request, { session: { userId: request.headers.cookie === 'session=of-7' ? 7 : null } })
  })
  app.get('/log-in', (_request, reply) => reply.header('set-cookie', 'session=of-7; HttpOnly').send())
  app.register(maySign, {
    async orderById (id: string) {
      if (id === '666' || !(Number(id) < 2 ** 31)) throw new Error('an error of the database')
      const [userId, isPaid] = orders.get(id) ?? []
      return isPaid === undefined ? undefined : { id, userId, cents: 10000, isPaid }
    }
  })
  return portOf(app)
}

/** Starts a program that serves a shop, with the folder of the routes and a port as arguments. Returns its port. */
async function program (t: Test, command: string, name: string): Promise<number> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, RAILS_ENV: 'production' }
  const shop = start(t, command, [join(shops, name), routes, String(port)], { cwd: temporaryFolder(t, 'shop-'), env })
  let hasEnded = false
  shop.ended.then(() => { hasEnded = true })
  while (!await fetch(`http://127.0.0.1:${port}`).then(() => true, () => false)) {
    if (hasEnded) throw new Error(shop.output())
    await setTimeout(50)
  }
  return port
}

const fpm = readdirSync('/usr/sbin').find(name => /^php-fpm[\d.]+$/.test(name)) ?? 'php-fpm'

/** Starts PHP-FPM with the script of examples/may-sign. Returns the lines of nginx for it. */
async function phpShop (t: Test): Promise<string> {
  const folder = temporaryFolder(t, 'php-')
  for (const path of [join(shops, 'orders.php'), join(shops, 'log-in.php'), join(routes, 'may-sign.php')]) cpSync(path, join(folder, path.split('/').at(-1)!))
  execFileSync('chmod', ['-R', '777', folder]) // the workers of nginx have another user
  writeFileSync(join(folder, 'fpm.conf'), `[www]\nlisten = ${folder}/php.sock\nlisten.mode = 0666\npm = static
pm.max_children = 8\nuser = nobody\nphp_admin_value[session.save_path] = ${folder}\nphp_admin_value[display_errors] = 1\n`)
  const server = start(t, pathOf(fpm)!, ['--nodaemonize', '--force-stderr', '--allow-to-run-as-root', '--fpm-config', 'fpm.conf'], {
    cwd: folder, env: { PATH: process.env.PATH }
  })
  t.teardown(() => server.terminate()) // and its workers
  await server.says(/ready to handle connections/)
  const documented = readFileSync(join(routes, 'may-sign.php'), 'utf8').match(/(?:include|fastcgi_\w+) .*?;/g)!.join('\n')
  return documented.replace('/srv/may-sign', folder).replace('/run/php/php-fpm.sock', `${folder}/php.sock`)
    .replace('include ', 'include /etc/nginx/')
}

for (const [framework, skip, startShop] of [
  ['Fastify', false, fastifyShop],
  ['PHP', lacking(fpm), phpShop],
  ['Django', lacking('/usr/share/doc/python3-django/copyright'), (t: Test) => program(t, '/usr/bin/python3', 'shop.py')],
  ['Rails', lacking(...['railties', 'activerecord', 'sqlite3', 'webrick'].map(name => `/usr/share/doc/ruby-${name}/copyright`)), (t: Test) => program(t, 'ruby', 'shop.rb')]
] as const) {
  t.test(`the service beside a shop on ${framework}`, { skip: without('nginx') || skip }, async t => {
    t.strictSame(await answersOf(t, await startShop(t)), asDocumented)
  })
}

t.test('the eight requests and the alert name what is wrong', { skip: without('nginx') }, async t => {
  const shop = await fastifyShop(t)
  const { port } = await besideShop(t, shop)
  const url = `http://127.0.0.1:${port}/payments/api/generate-signature`
  t.strictSame(await eightRequests(url, { key: 'wrong-key', cookie: 'session=of-7', change: { orderId: '1001' } }), {
    code: 1,
    output: eightAnswers.replace('✓ a refund, with the key: 200 signed',
      '✗ a refund, with the key: 401 api-key-unknown; expected 200 signed')
  })
  const fault = 'shoppers may be unable to pay; read status and log of the service'
  t.strictSame(await alert(url, { change: { orderId: '666' } }), {
    code: 1, output: `${url}: a stranger's purchase got 503 authorization-unavailable, expected 401 refused: ${fault}\n`
  })
  t.strictSame(await alert(`${url}/`), {
    code: 1,
    output: `${url}/: a stranger's purchase got 404 without an Error-Code, expected 401 refused: ${fault}\n` +
      `${url}/: an inquiry with the key got 404 without an Error-Code, expected 200 signed: ${fault}\n`
  })
  t.strictSame(await alert(url, { keyFile: 'nowhere' }), { code: 1, output: "alert.mjs: ENOENT: no such file or directory, open 'nowhere'\n" })
})

t.test('the eight requests and the alert to a service without guards, to a wrong server, and to none', async t => {
  const { app } = testApp(t)
  const open = `http://127.0.0.1:${await portOf(app)}/api/generate-signature`
  const { code, output } = await eightRequests(open)
  t.equal(code, 1)
  t.equal(output.match(/^✗ .*: 200 .*; expected 4/gm)?.length, 6, 'each refusal is missing')
  t.strictSame(await alert(open), {
    code: 1, output: `${open}: a stranger's purchase got 200 signed, expected 401 refused: EVERYBODY GETS SIGNATURES\n`
  })

  const { origin } = await serve(t, (_request, response) => { response.write('<h1>Log in</h1>'.repeat(100)) }) // never ends
  t.match((await alert(`${origin}/`)).output, "a stranger's purchase got 200 without a signature, expected 401 refused: shoppers may")
  const wrong = await serve(t, (_request, response) => { response.end('<h1>Log in</h1>') })
  t.match((await eightRequests(`${wrong.origin}/`)).output, '✗ the purchase, with the session: 200 without a signature of this request')
  const nobody = `http://127.0.0.1:${await freePort()}/`
  t.match((await eightRequests(nobody)).output, '✗ the purchase, with the session: no answer, ECONNREFUSED; expected 200 signed')
  t.match((await alert(nobody)).output, "a stranger's purchase got no answer, ECONNREFUSED, expected 401")
  t.match(cronLines, /payment-alert node \/etc\/payment-signature\/alert\.mjs https:\S+\/api\/generate-signature \S+\/probe-key\n/)
})

t.test('the step of the installation, run again for an upgrade, keeps the files of the first time', async t => {
  const folder = temporaryFolder(t, 'install-')
  const steps = installSteps.replaceAll(/ \/(etc|opt)\b/g, ` ${folder}/$1`).replaceAll(/=\/(opt)/g, `=${folder}/$1`)
  const npm = `npm () { mkdir -p "$3/node_modules"; ln -sfn ${root} "$3/node_modules/payment-signature-backend"; }`
  const run = () => execFileSync('bash', ['-c', `sudo () { "$@"; }; ${npm}; mkdir -p ${folder}/opt ${folder}/etc/systemd/system; ${steps}`])
  run()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /etc\/.*\./.test(name)).sort()
  t.strictSame(files, [
    'etc/nginx/snippets/payment-signature.conf', 'etc/payment-signature/alert.mjs', 'etc/payment-signature/eight-requests.mjs',
    'etc/payment-signature/policy.json', 'etc/payment-signature/request.json', 'etc/systemd/system/payment-signature@.service'
  ])
  for (const name of files) writeFileSync(join(folder, name), 'mine')
  run()
  for (const name of files) t.equal(readFileSync(join(folder, name), 'utf8'), 'mine', name)
})

t.test('the Fastify example', async t => {
  const port = await freePort()
  await fastifyExample(t, { PORT: String(port) }).says(/Server listening/)
  const direct = `http://127.0.0.1:${port}`

  t.test('the eight requests', async t => {
    t.strictSame(await eightRequests(`${direct}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
  })

  t.test('the page in Chromium, with the stub of the Web SDK', { skip: withoutBrowser }, async t => {
    const pay = await checkout(t, direct)
    const order = { operationType: 'purchase', amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345' }
    t.match(await pay(order), { ...order, partnerCode: 'PARTNER', signature: /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/ })
    t.match(await pay({ ...order, amount: '1.00' }), { status: 403, reason: 'NOT_YOUR_ORDER', requestId: /^[0-9a-f-]{36}$/ })
    t.match(await pay({ operationType: 'refund', amount: '1.00', merchantAccountNumber: '102551', transactionFCRN: '987654' }),
      { status: 403, reason: 'operations' })
  })
})

for (const [what, variables, message] of [
  ['a PORT that is no port', { PORT: '3000x' }, /PORT must be a number from 1 to 65535/],
  ['no PORT', {}, /PORT must be a number from 1 to 65535/],
  ['the stand-in of the shop in production', { PORT: '3000', NODE_ENV: 'production' }, /shop\.mjs is an example: replace it/]
] as const) {
  t.test(`the example refuses ${what}`, async t => {
    const { ended, output } = fastifyExample(t, variables)
    t.equal(await ended, 1)
    t.match(output(), message)
  })
}
