import t from 'tap'
import { serve } from '../support/backend.js'
import { answerOf, besideShop, fastifyShop } from '../support/may-sign.js'
import { without } from '../support/proxies.js'
import { alert, logAlert, logAlertOf } from '../support/shop.js'

// examples/first/log-alert.mjs and alert.mjs, as the cron of docs/safe-tonight.md runs them.

const purchase = { msg: 'request completed', level: 30, method: 'POST', path: '/api/generate-signature' }
const probe = { ...purchase, clientAddress: '192.0.2.1', caller: 'probe', statusCode: 200 }
const nextStep = 'Next: sudo journalctl -u \'payment-signature@*\' -o cat --since -5h | grep -v \'"level":30.*"statusCode":200\'\n'
const four = Date.UTC(2026, 0, 5, 16) // a time at which a lasting sign is reported again
const minute = 60_000

/** Lines of requests at minutes before {@link four}. */
const journal = (...requests: Array<readonly [before: number, clientAddress: string, members?: object]>) =>
  requests.map(([before, clientAddress, members]) => [four - before * minute, JSON.stringify({
    ...purchase, clientAddress, statusCode: 403, code: 'refused', reason: 'NOT_YOUR_ORDER', ...members
  })] as const)

const signed = { statusCode: 200, code: undefined, reason: undefined }
const cannotPay = `none signed: shoppers may be unable to pay\n${nextStep}`
const report = (number: number) => `requests: ${number} refused (most often 403 refused; reason=NOT_YOUR_ORDER), ${cannotPay}`

for (const [variant, keyFile] of [['A', undefined], ['B', '']] as const) {
  t.test(`after the shop has renamed the cookie of its session: variant ${variant}`, { skip: without('nginx') }, async t => {
    const { port, log } = await besideShop(t, await fastifyShop(t), variant)
    const change = variant === 'A' ? {} : { operationType: undefined }
    const runProbe = () => alert(`http://127.0.0.1:${port}/payments/api/generate-signature`, { keyFile, change: { ...change, orderId: '1001' } })
    const purchases = async (address: number, cookie: string, more = {}) => {
      for (let index = 0; index < 3; index++) await answerOf(port, { ...change, ...more }, address, { cookie })
    }
    t.strictSame(await runProbe(), { code: 0, output: '' })
    const hour = Array.from({ length: 12 }, (_, run) => run * 5 - 60).flatMap(at =>
      log().trim().split('\n').map(text => [four + at * minute, text] as const))
    const alerted = () => logAlert(four + 2 * minute,
      [...hour, ...log().trim().split('\n').map((text, index) => [four - 5 * minute + index * 100, text] as const)])

    t.strictSame(await alerted(), { code: 0, output: '' })
    await purchases(2, 'session=of-7')
    for (const address of [3, 4]) await purchases(address, 'renamed=of-7')
    await runProbe()
    t.strictSame(await alerted(), { code: 0, output: '' }, 'two addresses and the probe')
    await purchases(5, 'renamed=of-7')
    const refused = 'requests: 9 refused (most often 401 refused; reason=LOG_IN), '
    t.strictSame(await alerted(), { code: 0, output: `${refused}${cannotPay}` })
    await purchases(5, 'session=of-7', { orderId: '666' })
    t.strictSame(await alerted(), {
      code: 0,
      output: '1 × authorization is unavailable: status 500, application/json, decides nothing: likely an error or a limit of the backend ' +
        `or its proxy: read their logs\n${refused}3 failed (most often 503 authorization-unavailable), ${cannotPay}`
    })
    await purchases(3, 'session=of-7')
    t.notMatch((await alerted()).output, 'requests')
  })
}

t.test('three addresses within four hours since a signature', async t => {
  const outage = journal([480, 'a'], [300, 'b'], [250, 'c'], [245, 'd'], [200, 'e'], [100, 'f'])
  const gets = (every: number, address = 'a') => journal(...Array.from({ length: Math.floor(240 / every) }, (_, run) =>
    [run * every + 1, address, { method: 'GET', path: '(none)', statusCode: 405, code: 'method-not-allowed', reason: undefined }] as const))
  const withProbe = (...lines: Parameters<typeof journal>) => [...journal([700, '192.0.2.1', probe]), ...journal(...lines)]

  for (const [what, lines, output, after = 2] of [
    ['the third in this quarter', journal([239, 'a'], [30, 'b'], [30, 'b'], [1, 'c']), report(4)],
    ['the third after this quarter', journal([200, 'a'], [30, 'b'], [-1, 'c']), ''],
    ['the third in an earlier quarter', journal([239, 'a'], [30, 'b'], [16, 'c'], [1, 'd']), ''],
    ['the first more than four hours before', journal([242, 'a'], [30, 'b'], [1, 'c']), ''],
    ['two addresses', journal([30, 'a'], [20, 'b'], [10, 'a'], [5, 'b']), ''],
    ['three addresses of an IPv6 network', journal([30, '2001:db8::1'], [20, '2001:DB8:0:0:1::2'], [10, '2001:0db8::3'], [5, 'b']), ''],
    ['three IPv6 networks', journal([30, '2001:db8::1'], [20, '2001:db8:0:1::1'], [10, '2001:db8:0:2:1:1:1:1']), report(3)],
    ['one IPv4 address in two forms', journal([30, '192.0.2.7'], [20, '::ffff:192.0.2.7'], [10, '192.0.2.8']), ''],
    ['a signature between', journal([30, 'a'], [20, 'b'], [10, 'z', signed], [5, 'c'], [4, 'd']), ''],
    ['lines in another order, as of two containers', journal([5, 'c'], [4, 'd'], [10, 'z', signed], [30, 'a'], [20, 'b']), ''],
    ['two signatures, the last one first', journal([5, 'z', signed], [200, 'z', signed], [30, 'a'], [20, 'b'], [10, 'c']), ''],
    ['an address before and after a signature, the last line first', journal([3, 'c'], [12, 'c'], [10, 'z', signed], [2, 'd'], [1, 'e']), report(4)],
    ['a signature after this quarter', journal([30, 'a'], [20, 'b'], [10, 'c'], [-1, 'z', signed]), report(3)],
    ['a signature with a key between', journal([30, 'a'], [20, 'b'], [10, 'z', { ...signed, caller: 'shop' }], [5, 'c']), report(3)],
    ['a signature for the probe without its key', withProbe([30, 'a'], [20, 'b'], [10, '192.0.2.1', signed], [5, 'c']), report(3)],
    ['the address of the probe', withProbe([30, 'a'], [20, 'b'], [10, '192.0.2.1']), ''],
    ['one GET', [...gets(240), ...journal([30, 'a'], [20, 'b'], [10, 'c'])], report(3)],
    ['a GET every five minutes', [...gets(5), ...journal([30, 'a'], [20, 'b'], [10, 'c'])], ''],
    ['a GET every ten minutes', [...gets(10), ...journal([30, 'a'], [20, 'b'], [10, 'c'])], report(3)],
    ['a GET every five minutes, beside the probe with its key', [...gets(5), ...withProbe([30, 'a'], [20, 'b'], [10, 'c'])], report(3)],
    ['the limit of the rate', journal([30, 'a'], [20, 'b'], [10, 'c', { statusCode: 429, code: 'rate-limit', reason: undefined }]), ''],
    ['hundreds of addresses', journal(...Array.from({ length: 250 }, (_, index) => [5, `192.0.2.${index}`] as const)), report(250)],
    ['a lasting outage, after four hours', outage, report(6)],
    ['a lasting outage, at another time', outage, '', 17],
    ['an outage that began in these four hours', outage.slice(2), ''],
    ['an outage without requests in these four hours', outage.slice(0, 4), ''],
    ['no request', [], `no request in the log: does alert.mjs run, is LOG_LEVEL info, and the unit's name right?\n${nextStep}`]
  ] as const) t.strictSame(await logAlert(four + after * minute, lines), { code: 0, output }, what)
})

t.test('three addresses whose clientTimeStamp is refused: the clock', async t => {
  const clock = { statusCode: 400, code: 'strict', field: 'clientTimeStamp', reason: undefined }
  const begin = 'requests: 3 refused (most often 400 strict; field=clientTimeStamp), none signed: shoppers may be unable to pay'
  t.strictSame(await logAlert(four + 2 * minute, journal([5, 'a', clock], [4, 'b', clock], [3, 'c', clock])), {
    code: 0, output: `${begin}; likely the clock of this machine is wrong: run timedatectl\n${nextStep}`
  })
  t.notMatch((await logAlert(four + 2 * minute, journal([5, 'a', clock], [4, 'b', clock], [3, 'c']))).output, 'clock')
})

t.test('all requests have one address', async t => {
  const hours = (minutes: number, everyMinutes: number, address: string, members: object = {}) =>
    journal(...Array.from({ length: minutes / everyMinutes }, (_, index) =>
      [index * everyMinutes + 1, address, members] as const))
  const oneAddress = 'all requests have one address, 192.0.2.1: set real_ip_header in nginx, or TRUST_PROXY of the service\n' + nextStep
  const probed = [...hours(600, 5, '192.0.2.1', probe), ...hours(600, 5, '192.0.2.1')]
  const get = { method: 'GET', path: '(none)', statusCode: 405, code: 'method-not-allowed' }
  const probedB = [...hours(600, 5, '192.0.2.1', get), ...hours(600, 5, '192.0.2.1')]
  for (const [what, lines, output, after = 2] of [
    ['the probe alone', probed, ''],
    ['shoppers, too', [...probed, ...hours(360, 60, '192.0.2.1', signed)], oneAddress],
    ['shoppers, too, at another time', [...probed, ...hours(600, 60, '192.0.2.1', signed)], '', 17],
    ['shoppers, for the sixth time, at another time', [...probed, ...hours(360, 60, '192.0.2.1', signed)].map(([time, text]) =>
      [time + 15 * minute, text] as const), oneAddress, 17],
    ['shoppers beside an exporter with the key', [...probed, ...hours(600, 1, '192.0.2.1', probe), ...hours(360, 60, '192.0.2.1', signed)], oneAddress],
    ['shoppers in five quarters, as of eight-requests.mjs', [...probed, ...hours(75, 5, '192.0.2.1', signed)], ''],
    ['another address', [...probed, ...hours(360, 60, '192.0.2.1', signed), ...hours(360, 60, '192.0.2.2', signed)], ''],
    ['variant B', [...probedB, ...hours(360, 60, '192.0.2.1', signed)], oneAddress],
    ['variant B, the probe alone', probedB, '']
  ] as const) t.strictSame(await logAlert(four + after * minute, lines), { code: 0, output }, what)
})

t.test('each kind of error and warning once, with its number', async t => {
  const lines = ([
    [16, { level: 50, msg: 'of the quarter before' }],
    [14, { level: 40, msg: 'the merchant token ends with a line break' }],
    [13, { level: 40, msg: 'the merchant token ends with a line break' }],
    [12, { level: 50, msg: 'authorization is unavailable', cause: 'ECONNREFUSED' }],
    [11, { level: 50, msg: 'authorization is unavailable', cause: 'status 404' }],
    [11, { level: 50, msg: 'authorization is unavailable', cause: 'status 502' }],
    [10, { level: 60, msg: 'unexpected fault', err: { type: 'TypeError', stack: 'TypeError: x is undefined\n    at sign (file:1:2)' } }],
    [9, 'payment-signature: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)'],
    [8, 'payment-signature: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)'],
    [7, 'Error: process 17171'],
    [7, '    at start (file:1:2)'],
    [6, 'Error: process 18181'],
    [5, 'payment-signature@1.service: Main process exited, code=exited, status=1/FAILURE', 'systemd[1]'],
    [4, 'Started payment-signature@1.service - Payment signature backend, instance 1.', 'systemd[1]'],
    [3, 'null'],
    [2, { ...purchase, clientAddress: 'a', statusCode: 200 }],
    [-1, { level: 50, msg: 'of the next quarter' }]
  ] as const).map(([before, line, program]) => [four - before * minute, typeof line === 'string' ? line : JSON.stringify(line), program] as const)
  t.strictSame(await logAlert(four + 2 * minute, lines), {
    code: 0,
    output: `2 × the merchant token ends with a line break
1 × authorization is unavailable: ECONNREFUSED
1 × authorization is unavailable: status 404
1 × authorization is unavailable: status 502
1 × unexpected fault: TypeError: x is undefined
2 × payment-signature: MERCHANT_TOKEN_FILE is "/etc/token", which cannot be read (ENOENT)
2 × Error: process 18181
1 × payment-signature@1.service: Main process exited, code=exited, status=1/FAILURE
${nextStep}`
  })
})

t.test('the log of a container: its lines have their own time', async t => {
  const lines = [
    'payment-signature: a text before the first line has no time',
    ...journal([20, 'a', { level: 50, msg: 'of the quarter before' }], [14, 'a', signed]).map(([time, text]) => JSON.stringify({ time, ...JSON.parse(text) })),
    'Error: after the line of 14 minutes before',
    JSON.stringify({ time: four - minute, level: 40, msg: 'Redis is unavailable', cause: 'ECONNREFUSED' })
  ]
  t.strictSame(await logAlertOf(four + 2 * minute, lines.map(line => `${line}\n`).join('')), {
    code: 0,
    output: '1 × Error: after the line of 14 minutes before\n1 × Redis is unavailable: ECONNREFUSED\n' +
      'Next: read the lines of the log without "statusCode":200\n'
  })
})

t.test('alert.mjs names the limit of its address, and a clock that nothing sets once an hour', async t => {
  let answer: readonly [status: number, code: string] = [429, 'rate-limit']
  const { origin } = await serve(t, (_request, response) => response.writeHead(answer[0], { 'error-code': answer[1] }).end('{}'))
  const url = `${origin}/`
  t.strictSame(await alert(url, { keyFile: '' }), {
    code: 1, output: `${url}: a stranger's purchase got 429 rate-limit, expected 401 refused: the limit of this address is reached; shoppers have other addresses\n`
  })
  answer = [401, 'refused']
  const [hour, seventh] = [Date.UTC(2026, 0, 5, 16), Date.UTC(2026, 0, 5, 16, 7)]
  t.strictSame(await alert(url, { keyFile: '', now: hour, isSynchronized: 'no' }), {
    code: 1, output: 'the clock of this machine is not synchronized: run timedatectl\n'
  })
  t.strictSame(await alert(url, { keyFile: '', now: seventh, isSynchronized: 'no' }), { code: 0, output: '' })
  t.strictSame(await alert(url, { keyFile: '', now: hour }), { code: 0, output: '' })
})
