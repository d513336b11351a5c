import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { serve } from '../support/backend.js'
import { substitute } from '../support/documentation.js'
import { eightAnswers } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking, pathOf } from '../support/installed.js'
import { answerOf, answersOf, asDocumented, asWithoutOwner, besideShop, eightOf, routeOf, routes, routesWithoutOwner, routeWithoutOwner } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { alert, eightRequests, keys, logAlert, shopPolicy } from '../support/shop.js'

// The steps of docs/safe-tonight.md. `npm run foreign express-4 express-5` has the route in Express.

const shops = join(root, 'test/support/shops')

/** Starts examples/frameworks/fastify.mjs in a project of its own. */
function fastifyExample (t: Test, variables: Record<string, string>): Server {
  const folder = temporaryFolder(t, 'shop-')
  for (const file of ['fastify.mjs', 'fastify-route.mjs', 'authorize.mjs', 'shop.mjs']) {
    cpSync(join(root, 'examples/frameworks', file), join(folder, file))
  }
  writeFileSync(join(folder, 'policy.json'), shopPolicy)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/payment-signature-backend'))
  symlinkSync(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'))
  const env = { PATH: process.env.PATH, MERCHANT_TOKEN: production.token, SHOP: 'demo', ...variables }
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
    const { port, door } = await besideShop(t, await startShop(t, routesWithoutOwner(t)))
    t.equal(await routeOf(port, door), routeWithoutOwner)
    t.strictSame(await eightOf(port), asWithoutOwner)
  })
}

t.test('the eight requests and the alert name what is wrong', { skip: without('nginx') }, async t => {
  const shop = await fastifyShop(t)
  const { port } = await besideShop(t, shop)
  const url = `http://127.0.0.1:${port}/payments/api/generate-signature`
  t.strictSame(await eightRequests(url, { key: 'wrong-key', cookie: 'session=of-7', other: 'session=of-nobody', change: { orderId: '1001' } }), {
    code: 1,
    output: substitute(eightAnswers, {
      "✓ the purchase, with another customer's session: 403 refused":
        "✗ the purchase, with another customer's session: 401 refused; reason=LOG_IN (Refused by the merchant); expected 403 refused: not logged in",
      '✓ a refund, with the key: 200 signed': '✗ a refund, with the key: 401 api-key-unknown (The API key is not known); expected 200 signed'
    })
  })
  t.match(await eightRequests(url, { cookie: 'session=of-7', other: '' }), { code: 2, output: /^usage: .*\nExport COOKIE, OTHER_COOKIE and KEY\. / })
  t.match(await eightRequests(`${url} nowhere.json`), { code: 2, output: "nowhere.json cannot be used: ENOENT: no such file or directory, open 'nowhere.json'\n" })
  t.strictSame(await eightRequests(`${url} | head -1`, { cookie: 'session=of-7', change: { orderId: '1001' } }), { code: 0, output: '✓ the purchase, with the session: 200 signed\n' }, 'no stack after a closed pipe')
  const inquiry = { operationType: 'inquiry', idType: 'ORDER_ID', amount: undefined, orderId: undefined }
  for (const [key, change, answer] of [
    [keys.shop, { ...inquiry, transactionId: 'ORDER-1' }, '200'],
    [keys.shop, { ...inquiry, transactionId: '5521' }, '403 policy; reason=operations'], // until the shop may void
    [keys.shop, { operationType: 'refund', orderId: undefined, transactionFCRN: '1' }, '403 policy; reason=operations'],
    [keys.office, { ...inquiry, transactionId: 'ORDER-1' }, '403 policy; reason=operations']
  ] as const) t.equal(await answerOf(port, change, 1, { authorization: `Bearer ${key}` }), answer)
  const fault = 'shoppers may be unable to pay; read status and log of the service'
  t.strictSame(await alert(url, { change: { orderId: '666' } }), {
    code: 1, output: `${url}: a stranger's purchase got 503 authorization-unavailable, expected 401 refused: ${fault}\n`
  })
  t.strictSame(await alert(url, { change: { orderId: '666' }, isEnabled: false }), { code: 1, output: '' }, 'before the start')
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
})

const purchase = { msg: 'request completed', level: 30, method: 'POST', path: '/api/generate-signature', caller: 'anonymous' }
const next = 'Next: sudo journalctl -u \'payment-signature@*\' -o cat --since -5h | grep -v \'"level":30.*"statusCode":200\'\n'
const cannotPay = `none signed: shoppers may be unable to pay\n${next}`
const four = Date.UTC(2026, 0, 5, 16) // a time at which a lasting sign is reported again
const minute = 60_000

for (const [variant, keyFile] of [['A', undefined], ['B', '']] as const) {
  t.test(`the alert of the log, after the shop has renamed the cookie of its session: variant ${variant}`, { skip: without('nginx') }, async t => {
    const { port, log } = await besideShop(t, await fastifyShop(t), variant)
    const change = variant === 'A' ? {} : { operationType: undefined }
    const probe = () => alert(`http://127.0.0.1:${port}/payments/api/generate-signature`, { keyFile, change: { ...change, orderId: '1001' } })
    const purchases = async (address: number, cookie: string, more = {}) => {
      for (let index = 0; index < 3; index++) await answerOf(port, { ...change, ...more }, address, { cookie })
    }
    const alerted = () => logAlert(four + 2 * minute, log().trim().split('\n').map((text, index) => [four - 5 * minute + index * 100, text]))

    t.strictSame(await probe(), { code: 0, output: '' })
    t.strictSame(await alerted(), { code: 0, output: '' })
    await purchases(2, 'session=of-7')
    for (const address of [3, 4]) await purchases(address, 'renamed=of-7')
    await probe()
    t.strictSame(await alerted(), { code: 0, output: '' }, 'two addresses and the probe')
    await purchases(5, 'renamed=of-7')
    const refused = 'requests: 9 refused (most often 401 refused; reason=LOG_IN), '
    t.strictSame(await alerted(), { code: 0, output: `${refused}${cannotPay}` })
    await purchases(5, 'session=of-7', { orderId: '666' })
    t.strictSame(await alerted(), {
      code: 0,
      output: '1 × authorization is unavailable: status 500, application/json, decides nothing; likely an error or a limit of the backend ' +
        `or its proxy: read their logs\n${refused}3 failed (most often 503 authorization-unavailable), ${cannotPay}`
    })
    await purchases(3, 'session=of-7')
    t.notMatch((await alerted()).output, 'requests')
  })
}

t.test('the sign of the log: three addresses within four hours since a signature', async t => {
  /** Lines of requests at minutes before {@link four}. */
  const journal = (...requests: Array<readonly [before: number, ip: string, members?: object]>) =>
    requests.map(([before, ip, members]) => [four - before * minute, JSON.stringify({
      ...purchase, ip, statusCode: 403, code: 'refused; reason=NOT_YOUR_ORDER', ...members
    })] as const)
  const signed = { statusCode: 200, code: undefined }
  const report = (number: number) => `requests: ${number} refused (most often 403 refused; reason=NOT_YOUR_ORDER), ${cannotPay}`
  const outage = journal([480, 'a'], [300, 'b'], [250, 'c'], [245, 'd'], [200, 'e'], [100, 'f'])

  for (const [what, lines, output, after = 2] of [
    ['the third in this quarter', journal([239, 'a'], [30, 'b'], [30, 'b'], [1, 'c']), report(4)],
    ['the third after this quarter', journal([200, 'a'], [30, 'b'], [-1, 'c']), ''],
    ['the third in an earlier quarter', journal([239, 'a'], [30, 'b'], [16, 'c'], [1, 'd']), ''],
    ['the first more than four hours before', journal([242, 'a'], [30, 'b'], [1, 'c']), ''],
    ['two addresses', journal([30, 'a'], [20, 'b'], [10, 'a'], [5, 'b']), ''],
    ['a signature between', journal([30, 'a'], [20, 'b'], [10, 'z', signed], [5, 'c'], [4, 'd']), ''],
    ['a signature with a key between', journal([30, 'a'], [20, 'b'], [10, 'z', { ...signed, caller: 'shop' }], [5, 'c']), report(3)],
    ['an unknown key', journal([30, 'a'], [20, 'b'], [5, 'c', { caller: undefined }]), report(3)],
    ['a lasting outage, after four hours', outage, report(6)],
    ['a lasting outage, at another time', outage, '', 17],
    ['an outage that began in these four hours', outage.slice(2), ''],
    ['an outage without requests in these four hours', outage.slice(0, 4), ''],
    ['no request', [], `no request in the log: does alert.mjs run, is LOG_LEVEL info, and the unit's name right?\n${next}`]
  ] as const) t.strictSame(await logAlert(four + after * minute, lines), { code: 0, output }, what)
})

t.test('the alert of the log prints each kind of error and warning once, with its number', async t => {
  const lines = ([
    [16, { level: 50, msg: 'of the quarter before' }],
    [14, { level: 40, msg: 'the merchant token ends with a line break' }],
    [13, { level: 40, msg: 'the merchant token ends with a line break' }],
    [12, { level: 50, msg: 'authorization is unavailable', reason: 'ECONNREFUSED' }],
    [11, { level: 50, msg: 'authorization is unavailable', reason: 'status 404' }],
    [11, { level: 50, msg: 'authorization is unavailable', reason: 'status 502' }],
    [10, { level: 60, msg: 'unexpected fault', err: { type: 'TypeError', stack: 'TypeError: x is undefined\n    at sign (file:1:2)' } }],
    [9, 'payment-signature-backend: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)'],
    [8, 'payment-signature-backend: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)'],
    [7, 'Error: process 17171'],
    [7, '    at start (file:1:2)'],
    [6, 'Error: process 18181'],
    [5, 'payment-signature@1.service: Main process exited, code=exited, status=1/FAILURE', 'systemd[1]'],
    [4, 'Started payment-signature@1.service - Payment signature backend, instance 1.', 'systemd[1]'],
    [3, 'null'],
    [2, { ...purchase, ip: 'a', statusCode: 200 }],
    [-1, { level: 50, msg: 'of the next quarter' }]
  ] as const).map(([before, line, program]) => [four - before * minute, typeof line === 'string' ? line : JSON.stringify(line), program] as const)
  t.strictSame(await logAlert(four + 2 * minute, lines), {
    code: 0,
    output: `2 × the merchant token ends with a line break
1 × authorization is unavailable: ECONNREFUSED
1 × authorization is unavailable: status 404
1 × authorization is unavailable: status 502
1 × unexpected fault: TypeError: x is undefined
2 × payment-signature-backend: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)
2 × Error: process 18181
1 × payment-signature@1.service: Main process exited, code=exited, status=1/FAILURE
${next}`
  })
})

t.test('the eight requests to the Fastify example', async t => {
  const port = await freePort()
  await fastifyExample(t, { PORT: String(port) }).says(/Server listening/)
  t.strictSame(await eightRequests(`http://127.0.0.1:${port}/payments/api/generate-signature`), { code: 0, output: eightAnswers })
})

t.test('the Fastify example signs for nobody until it has your log-in', async t => {
  const port = await freePort()
  await fastifyExample(t, { PORT: String(port), SHOP: '' }).says(/Server listening/)
  const headers = { 'content-type': 'application/json', cookie: 'session=demo' }
  const response = await fetch(`http://127.0.0.1:${port}/payments/api/generate-signature`, { method: 'POST', headers, body: production.body })
  t.strictSame([response.status, await response.json()], [401, { error: 'Log in first' }])
})

for (const [what, variables, message] of [
  ['a PORT that is no port', { PORT: '3000x' }, /PORT must be a number from 1 to 65535/],
  ['no PORT', {}, /PORT must be a number from 1 to 65535/],
  ['no token', { PORT: '3000', MERCHANT_TOKEN: '' }, /MERCHANT_TOKEN is empty/]
] as const) {
  t.test(`the example refuses ${what}`, async t => {
    const { ended, output } = fastifyExample(t, variables)
    t.equal(await ended, 1)
    t.match(output(), message)
  })
}
