import t from 'tap'
import { signedRequestsIn } from '../../../tools/request-text/signed-requests.js'

const [one, two] = ['1.50', '2.50'].map(amount => ({ amount, sid: `s-${amount}`, clientTimeStamp: 1709912345678 })) as [object, object]
const [first, second, third] = ['a', 'b', 'c'].map(digit => `${digit.repeat(64)}///${digit.repeat(64)}`) as [string, string, string]
const texts = [one, two].map(value => JSON.stringify(value))
const [byOne, byTwo] = [{ request: one, signatures: [first] }, { request: two, signatures: [second] }]
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

const both: Record<string, string> = {
  'lines of JSON': [{ request: one, signature: first }, { signature: second, request: two }].map(line => JSON.stringify(line)).join('\n'),
  'a JSON array': JSON.stringify([{ request: one, signature: first }, { request: two, response: { signature: second } }], null, 1),
  'a HAR': JSON.stringify({
    log: {
      entries: [
        { request: { method: 'OPTIONS' }, response: { content: { text: '' } } },
        { request: { postData: { text: texts[0] } }, response: { content: { text: `{"signature":"${first}"}` } } },
        { request: { postData: { text: texts[1] } }, response: { content: { encoding: 'base64', text: base64({ signature: second }) } } }
      ]
    }
  }),
  'a log with both in one line': `10:00 INFO {ctx} ${texts[0]} signature=${first} 12ms\n10:01 signature: "${second}" of ${texts[1]}`,
  'a log with the signature in a later line': `10:00 signing ${texts[0]}\n10:00 done\n10:00 ${JSON.stringify({ msg: 'ok', signature: first })}\n10:01 ${texts[1]}\n10:01 -> ${second}`,
  'a log with escaped quotes': [[texts[0], first], [texts[1], second]].map(([body, signature]) =>
    `level=info body=${JSON.stringify(body)} signature=${signature}`).join('\n'),
  'a log with many braces that are not JSON': `${'{ a: 1 } '.repeat(500)}${texts[0]} ${first}\n${'{ a: 1 } '.repeat(500)}${texts[1]} ${second}`,
  "Python's prints": [['1.50', first], ['2.50', second]].map(([amount, signature]) =>
    `INFO {'amount': '${amount}', 'sid': 's-${amount}', 'clientTimeStamp': 1709912345678} signature=${signature}\n`).join(''),
  "Go's prints": [['1.50', first], ['2.50', second]].map(([amount, signature]) =>
    `10:00 map[amount:${amount} clientTimeStamp:1709912345678 sid:s-${amount}] map[signature:${signature}]\n`).join(''),
  'a log that a viewer wrapped': [`${texts[0]} signature=${first}`, `${texts[1]} signature=${second}`]
    .map(line => line.match(/.{1,70}/g)!.join('\n')).join('\n'),
  'each twice': `${texts[0]} ${first}\n${texts[1]} ${second}\n`.repeat(2)
}

for (const [name, text] of Object.entries(both)) {
  t.test(name, async t => t.strictSame(signedRequestsIn(text), [byOne, byTwo]))
}

t.test('all signatures beside one request are found', async t => {
  for (const [text, signatures] of [
    [`${texts[0]}\nrefused: expected ${first} but got ${third}`, [first, third]],
    [JSON.stringify({ body: one, error: `expected ${first} but got ${third}` }), [first, third]],
    [`${texts[0]} signature=${first.replaceAll('/', '\\/')}`, [first.replaceAll('/', '\\/')]],
    [JSON.stringify({ request: one, signature: 'qqqq' }), ['qqqq']],
    [`${texts[0]} Signature: ${'q'.repeat(43)}=`, [`${'q'.repeat(43)}=`]]
  ] as const) t.strictSame(signedRequestsIn(text), [{ request: one, signatures }])
  t.match(signedRequestsIn(JSON.stringify({ ...one, signature: first })), [{ request: one, signatures: [first] }], 'a member of the request')
})

for (const [name, text] of Object.entries({
  'no signature': texts[0]!,
  'no request': `{"signature":"${first}"}`,
  'too few fields': `{"sid":"a","amount":"1.00"} ${first}`,
  'a signature before any request': `${first}\n${texts[0]}`,
  'no JSON in base64': `{"text":"eyJ${'A'.repeat(40)}"} ${first}`,
  'a signature that is too deep': `${texts[0]} {"a":${'['.repeat(20)}"${first}"${']'.repeat(20)}}`,
  'too deep': `{"a":${'['.repeat(20)}${JSON.stringify({ request: one, signature: first })}${']'.repeat(20)}}`
})) t.test(`no signed request: ${name}`, async t => t.strictSame(signedRequestsIn(text), []))
