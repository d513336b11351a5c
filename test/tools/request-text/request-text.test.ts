import t from 'tap'
import { requestIn } from '../../../tools/request-text/request-text.js'
import { signedRequestsIn } from '../../../tools/request-text/signed-requests.js'
import { formOf } from '../../support/command-line.js'

const request = { amount: '100.00', sid: 'it\'s "a\\b" é', clientTimeStamp: 1709912345678 }
const text = JSON.stringify(request)
const inDouble = text.replace(/[\\"$`]/g, '\\$&')

for (const [name, given] of Object.entries({
  JSON: JSON.stringify(request, null, 2),
  'a line of a log': `10:00 INFO ${text} 12ms\n10:01 done`,
  'the same request in two lines': `${text}\n${text}`,
  'JSON as text in JSON': JSON.stringify({ level: 30, body: text }),
  'a HAR': JSON.stringify({ log: { entries: [{ request: { postData: { text } } }] } }),
  'curl with apostrophes': `curl https://pay.example/ -H 'Content-Type: application/json' -d '${text.replace("'", "'\\''")}'`,
  'curl with a prompt, a line break and quotes': `$ curl -sS \\\n  --data-raw "${inDouble}" | jq .`,
  'curl of a browser': `curl 'https://pay.example/' --data-raw $'${text.replaceAll('\\', '\\\\').replace("'", "\\'").replace('é', '\\u00e9')}'`,
  'an HTTP file': `### a purchase\n@host = http://localhost:3001\n\nPOST {{host}}/api/generate-signature\nContent-Type: application/json\n\n${JSON.stringify(request, null, 2)}\n`,
  'an HTTP message': `POST /api/generate-signature HTTP/1.1\r\nHost: localhost\r\n\r\n${text}`,
  'curl --json=': `curl --json='${text.replace("'", "'\\''")}' https://pay.example/`
})) t.test(name, async t => t.strictSame(requestIn(given, 'FILE'), request))

t.test('the outer of two nested requests is read', async t => {
  const outer = { sid: 'outer', clientTimeStamp: 1, was: { sid: 'inner', clientTimeStamp: 2 } }
  t.strictSame(requestIn(JSON.stringify(outer), 'FILE'), outer)
})

t.test('names of the payment side differ in case, _ and -', async t => {
  const sent = { Amount: '1.00', client_time_stamp: 1, SID: 'a' }
  t.strictSame(requestIn(JSON.stringify(sent), 'FILE', true), { amount: '1.00', clientTimeStamp: 1, sid: 'a' })
  t.strictSame(requestIn(formOf(sent), 'FILE', true), { amount: '1.00', clientTimeStamp: '1', sid: 'a' })
  t.throws(() => requestIn(JSON.stringify(sent), 'FILE'), {
    message: 'FILE has keys that the service does not read, since case, _ and - count: Amount must be amount, ' +
      'client_time_stamp must be clientTimeStamp, SID must be sid'
  })
})

const read = 'pass JSON, lines of JSON, a curl command, an HTTP file or a HAR'
const forms = `FILE contains no request, which is an object with fields such as sid and clientTimeStamp; ${read}`
const mongosh = `FILE is what mongosh prints, not JSON: print it with EJSON.stringify, or use mongoexport; ${read}`
for (const [given, message] of [
  ['', 'FILE is empty: it must contain a request'],
  ['{"a":1}', forms],
  ["{'sid': 'canary', 'clientTimeStamp': 1}", `FILE is not JSON: see line 1, column 2; ${read}`],
  ['sid: canary\nclientTimeStamp: 1\namount: "1.00"', forms],
  ["{\n  _id: ObjectId('66f0c0ffee0123456789abcd'),\n  sid: 'canary',\n  clientTimeStamp: Long('1795770000456')\n}", mongosh],
  ...["_id: ObjectId('66f0')", "paid: ISODate('2026-11-28T02:57:10.000Z')", 'clientTimeStamp: NumberLong(1)', "amount: Decimal128('1.00')"].map(member =>
    [`{ ${member}, sid: 'canary' }`, mongosh] as const),
  [`${text}\nPOST /api/generate-signature\n${text.replace('100', '5')}`, 'FILE contains 2 requests: pass only one'],
  [`{"sid":"canary"}\n${text}\n${text.replace('100', '5')}`, 'FILE contains 2 requests: pass only one'],
  ['{"a":'.repeat(20) + text + '}'.repeat(20), forms],
  ['curl https://pay.example/', 'the curl command has no body: it needs -d, --data, --data-raw or --json'],
  ['curl -d @canary', 'the curl command reads its body from a file: use that file instead'],
  ['curl -d "$canary"', 'the body of the curl command contains a variable or a command, which only a shell can expand: use the expanded command instead']
] as const) t.test(`refused: ${given.slice(0, 40)}`, async t => t.throws(() => requestIn(given, 'FILE'), { name: 'UnreadableError', message }))

t.test('hostile texts are read in a short time', async t => {
  for (const given of ['{"'.repeat(500_000), '[{'.repeat(200_000), `${'{ a: 1 } '.repeat(50_000)}\n${text}`, '"'.repeat(1_000_000), '# \n'.repeat(100_000), `${'# '.repeat(500_000)}\n{`]) {
    const start = performance.now()
    try { requestIn(given, 'FILE') } catch {}
    signedRequestsIn(given)
    t.ok(performance.now() - start < 5000, given.slice(0, 10))
  }
})

const requestOf = (amount: string): object => ({ amount, sid: `s-${amount}`, clientTimeStamp: 1709912345678 })
const [one, two] = [requestOf('1.50'), requestOf('2.50')]
const [first = '', second = '', third = ''] = ['a', 'b', 'c'].map(digit => `${digit.repeat(64)}///${digit.repeat(64)}`)
const [textOfOne = '', textOfTwo = ''] = [one, two].map(value => JSON.stringify(value))
const [byOne, byTwo] = [{ request: one, signatures: [first] }, { request: two, signatures: [second] }]
const har = (...entries: object[]): string => JSON.stringify({ log: { entries } })
const call = (text: string, answer: string) =>
  ({ request: { postData: { text } }, response: { content: { text: answer } } })

for (const [name, given] of Object.entries({
  'lines of JSON': [{ request: one, signature: first }, { signature: second, request: two }]
    .map(line => JSON.stringify(line)).join('\n'),
  'a JSON array': JSON.stringify([{ request: one, signature: first }, { request: two, response: { signature: second } }], null, 1),
  'a HAR': har(call('', ''), call(textOfOne, `{"signature":"${first}"}`), call(textOfTwo, `{"signature":"${second}"}`)),
  'a log with both in one line': `10:00 ${textOfOne} signature=${first} 12ms\n10:01 signature: "${second}" of ${textOfTwo}`,
  'a log with the signature in a later line': `sign ${textOfOne}\ndone\n${JSON.stringify({ signature: first })}\n${textOfTwo}\n-> ${second}`,
  'each twice': `${textOfOne} ${first}\n${textOfTwo} ${second}\n`.repeat(2)
})) t.test(`requests with signatures: ${name}`, async t => t.strictSame(signedRequestsIn(given), [byOne, byTwo]))

t.test('the calls of one payment are one', async t => {
  const sent = { Amount: '1.5', sid: 's-1.50', clientTimeStamp: 1709912345678, merchantToken: 'own', signature: first }
  const answer = `{"signature":"${first}"}`
  for (const [body, clientTimeStamp] of [[JSON.stringify(sent), 1709912345678], [formOf(sent), '1709912345678']] as const) {
    const otherRequest = { amount: '1.5', sid: 's-1.50', clientTimeStamp, merchantToken: 'own', signature: first }
    t.strictSame(signedRequestsIn(har(call(textOfOne, answer), call(body, '403'))), [{ ...byOne, otherRequest }])
  }
  t.match(signedRequestsIn(`${textOfOne} ${first}\n${JSON.stringify({ ...sent, sid: 'another' })}`), { length: 2 }, 'another sid')
})

t.test('all signatures beside one request are found', async t => {
  for (const [given, signatures] of [
    [`${textOfOne}\nrefused: expected ${first} but got ${third}`, [first, third]],
    [JSON.stringify({ body: one, error: `expected ${first} but got ${third}` }), [first, third]],
    [JSON.stringify({ request: one, signature: 'qqqq' }), ['qqqq']]
  ] as const) t.strictSame(signedRequestsIn(given), [{ request: one, signatures }])
})

for (const [name, given] of Object.entries({
  'no signature': textOfOne,
  'no request': `{"signature":"${first}"}`,
  'too few fields': `{"sid":"a","amount":"1.00"} ${first}`,
  'a signature before any request': `${first}\n${textOfOne}`,
  'too deep': '{"a":'.repeat(20) + JSON.stringify({ request: one, signature: first }) + '}'.repeat(20)
})) t.test(`no signed request: ${name}`, async t => t.strictSame(signedRequestsIn(given), []))

t.test('an object beside the fields of a request is no export', async t => {
  const request = { ...one, metadata: { N: 1, stringValue: 'a' }, _id: { $oid: '66f0c0ffee0123456789abc0' } }
  t.strictSame(requestIn(JSON.stringify(request), 'FILE'), request)
})

for (const [database, typed] of Object.entries({
  MongoDB: { $numberLong: '1709912345678' }, DynamoDB: { N: '1709912345678' }, Firestore: { integerValue: '1709912345678' }
})) {
  t.test(`an export of ${database} is refused`, async t => {
    const exported = JSON.stringify({ ...one, clientTimeStamp: typed })
    const message = `the request has values such as {"${Object.keys(typed)[0]}": …}, as a database exports them: export plain JSON`
    t.throws(() => requestIn(exported, 'FILE'), { name: 'UnreadableError', message })
    t.throws(() => requestIn(exported, 'FILE', true), { name: 'UnreadableError', message })
    t.throws(() => signedRequestsIn(`${exported} ${first}`), { name: 'UnreadableError', message })
  })
}
