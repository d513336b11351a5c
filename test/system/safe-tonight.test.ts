import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { serve } from '../support/backend.js'
import { withoutBrowser } from '../support/browser.js'
import { substitute } from '../support/documentation.js'
import { cronLines, eightAnswers, installSteps } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking, pathOf } from '../support/installed.js'
import { answerOf, answersOf, asDocumented, asWithoutOwner, besideShop, eightOf, routes, routesWithoutOwner } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { alert, checkout, eightRequests, logAlert, shopPolicy } from '../support/shop.js'

// The steps of docs/safe-tonight.md. `npm run foreign express-4 express-5` has the route in Express.

const shops = join(root, 'test/support/shops')

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

/** Starts a shop on Fastify with the route of a folder. Returns its port. */
async function fastifyShop (t: Test, folder = routes): Promise<number> {
  const { maySign } = await import(join(folder, 'fastify.mjs'))
  const orders = new Map([['1001', [7, false]], ['1002', [8, false]], ['1003', [7, true]], ['1004', [null, false]]])
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('session')
  app.addHook('onRequest', async request => {
    const [, user] = /^session=of-([78])$/.exec(request.headers.cookie ?? '') ?? []
    Object.assign(request, { session: { userId: user === undefined ? null : Number(user) } })
  })
  app.get<{ Querystring: { user: string } }>('/log-in', ({ query: { user } }, reply) =>
    reply.header('set-cookie', `session=of-${user}; HttpOnly`).send())
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
async function program (t: Test, command: string, name: string, folder: string): Promise<number> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, RAILS_ENV: 'production' }
  const shop = start(t, command, [join(shops, name), folder, String(port)], { cwd: temporaryFolder(t, 'shop-'), env })
  let hasEnded = false
  shop.ended.then(() => { hasEnded = true })
  while (!await fetch(`http://127.0.0.1:${port}`).then(() => true, () => false)) {
    if (hasEnded) throw new Error(shop.output())
    await setTimeout(50)
  }
  return port
}

const fpm = readdirSync('/usr/sbin').find(name => /^php-fpm[\d.]+$/.test(name)) ?? 'php-fpm'

/** Starts PHP-FPM with the script of a folder. Returns the lines of nginx for it. */
async function phpShop (t: Test, scripts: string): Promise<string> {
  const folder = temporaryFolder(t, 'php-')
  for (const path of [join(shops, 'orders.php'), join(shops, 'log-in.php'), join(scripts, 'may-sign.php')]) cpSync(path, join(folder, path.split('/').at(-1)!))
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
  ['Django', lacking('/usr/share/doc/python3-django/copyright'), (t: Test, folder: string) => program(t, '/usr/bin/python3', 'shop.py', folder)],
  ['Rails', lacking(...['railties', 'activerecord', 'sqlite3', 'webrick'].map(name => `/usr/share/doc/ruby-${name}/copyright`)), (t: Test, folder: string) => program(t, 'ruby', 'shop.rb', folder)]
] as const) {
  t.test(`the service beside a shop on ${framework}`, { skip: without('nginx') || skip }, async t => {
    t.strictSame(await answersOf(t, await startShop(t, routes)), asDocumented)
    const { port } = await besideShop(t, await startShop(t, routesWithoutOwner(t)))
    t.strictSame(await eightOf(port), asWithoutOwner)
  })
}

t.test('the eight requests and the alert name what is wrong', { skip: without('nginx') }, async t => {
  const shop = await fastifyShop(t)
  const { port } = await besideShop(t, shop)
  const url = `http://127.0.0.1:${port}/payments/api/generate-signature`
  const notLoggedIn = "✗ the purchase, with another shopper's session: 401 refused; reason=LOG_IN; expected 403 refused"
  const missing = "✗ the purchase, with another shopper's session: not sent; log in as another shopper, and set OTHER_COOKIE to that " +
    'header Cookie; expected 403 refused'
  for (const [other, line] of [['session=of-nobody', notLoggedIn], ['', missing]] as const) {
    t.strictSame(await eightRequests(url, { key: 'wrong-key', cookie: 'session=of-7', other, change: { orderId: '1001' } }), {
      code: 1,
      output: substitute(eightAnswers, {
        "✓ the purchase, with another shopper's session: 403 refused": line,
        '✓ a refund, with the key: 200 signed': '✗ a refund, with the key: 401 api-key-unknown; expected 200 signed'
      })
    })
  }
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
  t.match(cronLines, / --since -60min \| node \/etc\/payment-signature\/log-alert\.mjs\n/)
  t.match(cronLines, /payment-alert node \/etc\/payment-signature\/alert\.mjs https:\S+\/api\/generate-signature \S+\/probe-key\n/)
})

t.test('the alert of the log, after the shop has renamed the cookie of its session', { skip: without('nginx') }, async t => {
  const { port, log } = await besideShop(t, await fastifyShop(t))
  const url = `http://127.0.0.1:${port}/payments/api/generate-signature`
  const empty = { code: 0, output: '' }
  const purchases = async (times: number, cookie: string, address = 1) => {
    for (let index = 0; index < times; index++) await answerOf(port, {}, address, { cookie })
  }
  t.match((await logAlert('-- No entries --\n')).output, 'no request in the log: ')
  for (let run = 0; run < 12; run++) await alert(url, { change: { orderId: '1001' } })
  t.strictSame(await logAlert(log()), empty, 'a night with the probe only')
  await purchases(30, '')
  t.strictSame(await logAlert(log()), empty, 'and a bot')
  await purchases(1, 'session=of-7', 2)
  for (let address = 3; address < 7; address++) await purchases(1, 'renamed=of-7', address)
  t.strictSame(await logAlert(log()), empty, 'four refusals since a signature')
  await alert(url, { change: { orderId: '1001' } })
  await purchases(1, 'renamed=of-7', 7)
  const line = 'requests were refused (most often 401 refused; reason=LOG_IN), none was signed: shoppers may be unable to pay\n'
  t.strictSame(await logAlert(log()), { code: 0, output: `5 ${line}` })
  await alert(url, { change: { orderId: '666' } })
  t.match((await logAlert(log())).output, /^\{"level":50,.*"msg":"authorization is unavailable"\}\n5 requests were/)
  const byProxy = log().replaceAll(/"ip":"[\d.]+"/g, '"ip":"127.0.0.1"')
  t.match((await logAlert(byProxy)).output, /\n5 requests were refused /, 'TRUST_PROXY is missing')
  await purchases(1, 'session=of-7')
  t.notMatch((await logAlert(log())).output, 'requests')
})

t.test('the alert of the log prints each new kind of warning once, and each new error', async t => {
  const at = (minutes: number) => Date.now() - minutes * 60_000
  const lines = [
    { level: 50, time: at(16), msg: 'old' },
    { level: 40, time: at(16), msg: 'the merchant token ends with a line break' },
    { level: 40, time: at(14), msg: 'the merchant token ends with a line break' },
    { level: 40, time: at(13), msg: 'the merchant token ends with a line break' },
    { level: 40, time: at(12), msg: 'Redis is unavailable' },
    { level: 50, time: at(11), reqId: '1', msg: 'unexpected fault' },
    { level: 60, time: at(10), reqId: '2', msg: 'unexpected fault' },
    { level: 30, time: at(9), method: 'POST', path: '/api/generate-signature', statusCode: 200, msg: 'request completed' }
  ].map(line => `${JSON.stringify(line)}\n`)
  t.strictSame(await logAlert(`Started.\nnull\n${lines.join('')}`), {
    code: 0, output: [2, 4, 5, 6].map(index => lines[index]).join('')
  })
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
    'etc/payment-signature/log-alert.mjs', 'etc/payment-signature/policy.json', 'etc/payment-signature/request.json', 'etc/systemd/system/payment-signature@.service'
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
