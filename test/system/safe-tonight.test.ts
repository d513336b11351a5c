import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testApp } from '../support/app.js'
import { serve } from '../support/backend.js'
import { substitute } from '../support/documentation.js'
import { eightAnswers } from '../support/documented.js'
import { production } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking, pathOf } from '../support/installed.js'
import { answerOf, answersOf, asDocumented, asWithoutOwner, besideShop, eightOf, fastifyShop, routeOf, routes, routesWithoutOwner, routeWithoutOwner } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { temporaryFolder } from '../support/scope.js'
import { root, start, type Server } from '../support/server.js'
import { alert, eightRequests, keys, shopPolicy } from '../support/shop.js'

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
  ...['flask', 'fastapi'].map(name => [
    name, lacking(...[name, 'uvicorn'].map(needed => `/usr/share/doc/python3-${needed}/copyright`)), (t: Test, folder: string) => program(t, '/usr/bin/python3', `${name}_shop.py`, folder)
  ] as const),
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
      '✓ a refund, with the key: 200 signed': '✗ a refund, with the key: 401 api-key-unknown (The API key is not known); expected 200 signed: ' +
        'KEY and the digest of back-office in the policy do not match: copy the key again, or run payment-signature new-key back-office --policy-file FILE --replace'
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
  t.strictSame(output.split('\n').map((line: string) => /; expected 4\d\d .*?: (.*)$/.exec(line)?.[1]), [
    undefined, 'likely AUTHORIZE_URL is missing, or the route allows strangers', ...Array(2).fill('proves nothing while strangers get signatures'),
    undefined, undefined, undefined, 'STRICT is missing', undefined
  ])
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
  ['no token', { PORT: '3000', MERCHANT_TOKEN: '' }, /MERCHANT_TOKEN is empty/]
] as const) {
  t.test(`the example refuses ${what}`, async t => {
    const { ended, output } = fastifyExample(t, variables)
    t.equal(await ended, 1)
    t.match(output(), message)
  })
}
