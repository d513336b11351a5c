import t from 'tap'
import { UnreadableError } from '../../../src/text/json-file.js'
import { requestIn } from '../../../tools/request-text/request-text.js'
import { formOf } from '../../support/command-line.js'
import { body } from '../../support/example.js'
import { whole } from '../../support/whole.js'
import { signedRequestsIn } from '../../../tools/request-text/signed-requests.js'

/** Contains a quote, an apostrophe, a backslash and a letter outside ASCII, for tests of quoting. */
const request = { amount: '100.00', sid: 'it\'s "a\\b" é', clientTimeStamp: 1709912345678 }
const text = JSON.stringify(request)

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const byNginx = Buffer.from(text).toString('latin1')
  .replace(/["\\\x7f-\xff]/g, one => `\\x${one.charCodeAt(0).toString(16).toUpperCase()}`)

const byPython = '{\'amount\': \'100.00\', \'sid\': \'it\\\'s "a\\\\b" é\', \'clientTimeStamp\': 1709912345678}'
const byGo = 'map[amount:100.00 clientTimeStamp:1709912345678 sid:it\'s "a\\b" é]'

const accepted: Record<string, string> = {
  JSON: text,
  'JSON over several lines, after white space': `\n\n ${JSON.stringify(request, null, 2)}\n`,
  'JSON with the request inside': JSON.stringify({ name: 'x', request, other: { sid: 'x' } }),
  'JSON with the request as text inside': JSON.stringify({ level: 30, req: { url: '/', body: text }, note: '{no JSON' }),
  'JSON with the request in a list': JSON.stringify({ list: [null, 1, 'x', request] }),
  'JSON with the request after what looks less like one': JSON.stringify({ other: { sid: 'x' }, request }),
  'JSON that looks less like a request than what is inside': JSON.stringify({ sid: 'x', request }),
  'JSON with the request as text in text inside': JSON.stringify({ msg: `\n${JSON.stringify({ body: `  ${text}` })}` }),
  'JSON with the request eight levels down': `{"a":${'['.repeat(7)}${text}${']'.repeat(7)}}`,
  'JSON with the request as text in text inside, without white space': JSON.stringify({ msg: JSON.stringify({ body: text }) }),
  'JSON with the request eight levels down, some of them text': JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: [[[request]]] }) }) }),
  'JSON with escaped quotes, by itself': JSON.stringify(text).slice(1, -1),
  "JSON as nginx's log has it, by itself": byNginx,

  'curl -d': `curl -s http://localhost:3001/api/generate-signature -H 'content-type: application/json' -d ${single(text)}`,
  'curl with a prompt, line continuations and a pipe': `$ curl 'http://localhost' \\\n  -X POST \\\r\n  --data-raw ${single(text)} \\\n  --compressed | curl -d '${JSON.stringify({ ...request, sid: 'no' })}' http://localhost`,
  'curl --data=': `curl --data=${single(text)} http://localhost`,
  'curl --data-binary': `curl http://localhost --data-binary ${single(text)}`,
  'curl --json': `curl.exe --json ${single(text)} http://localhost`,
  'curl -sSd': `curl -sSd ${single(text)} http://localhost`,
  'curl -d without a space': `curl -d${single(text)} http://localhost`,
  'curl with double quotes': `curl -d "${text.replace(/[\\"$`]/g, '\\$&')}" http://localhost`,
  "curl with $'…'": `curl 'http://localhost' --data-raw $'${text.replace(/[\\']/g, '\\$&').replace('é', '\\u00e9').replace('100', '\\x3100')}'`,
  "curl with bytes in $'…'": `curl 'http://localhost' --data-raw $'${text.replace(/[\\']/g, '\\$&').replace('é', '\\xc3\\xa9')}'`,
  'curl with backslashes': `curl -d ${text.replace(/[^\w.é]/g, '\\$&')} http://localhost`,
  'curl that ends with a backslash and a line end': `curl -d ${single(text)} \\\n`,
  'curl --data-ascii': `curl --data-ascii ${single(text)} http://localhost`,
  'curl with a line continuation before the body': `curl -d \\\n  ${single(text)} http://localhost`,
  'curl with empty words': `curl -H '' -H "" -d ${single(text)} http://localhost`,
  'curl after a prompt and spaces': `  %   curl -d ${single(text)} http://localhost`,
  'curl with other words that are almost -d': `curl -D "$FILE" -H "x-date: $NOW" -H 'x: --data' "$URL" -d ${single(text)}`,
  'a log line with curl in it': `10:00 the client, curl 8.5.0, sent ${text}`,
  'curl with a variable elsewhere': `curl -H "Authorization: Bearer $KEY" -d ${single(text)} "$URL"`,

  'a log line': `2026-03-01T10:00:00Z INFO {context} POST /api/generate-signature 200 ${text} 12ms {"took":12}`,
  'a log line with what looks less like a request': `before {"sid":"x"} ${text} after {"sid":"y"}`,
  'a log line after 6000 braces': `- ${'{ '.repeat(6000)}${text}`,
  'a log line with the same request twice': `in ${text} out ${text}`,
  'a log line with JSON text in JSON': `10:00 INFO ${JSON.stringify({ msg: 'body', body: text })}`,
  'a log line with escaped quotes': `time=10:00 method=POST body=${JSON.stringify(text)} status=200`,
  "nginx's log": `10.0.0.1 - - "POST / HTTP/1.1" 200 "${byNginx}"`,
  'an HTTP message': `POST /api/generate-signature HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n${text}`,
  "Python's print": byPython,
  "Python's print after white space": `\n ${byPython.replace('{', '{ ')}`,
  "Python's print in a log line": `2026-03-01 10:00:00,123 INFO {it's} paying ${byPython} for {'other'}`,
  "Python's print as text in JSON": JSON.stringify({ msg: byPython }),
  "Python's escapes": byPython.replace('é', '\\xe9').replace('100', '\\u0031\\U00000030\\x30'),
  "Python's Decimal": byPython.replace("'100.00'", "Decimal('100.00')"),
  "Python's UUID": byPython.replace("'100.00'", 'uuid.UUID("100.00")'),
  "Go's print": byGo,
  "Go's print in a log line": `2026/03/01 10:00:00 paying ${byGo} [x]`,
  "Go's print of decoded JSON": byGo.replace('1709912345678', '1.709912345678e+12'),
  "Go's print as text in JSON": JSON.stringify({ msg: 'paying', request: byGo }),
  ...Object.fromEntries([text, byPython, `10:00 INFO ${text} 12ms`, byGo].flatMap(line => [30, 40].map(width => {
    const lines = line.match(new RegExp(`.{1,${width}}`, 'g'))!
    return [`wrapped at ${width} characters: ${line}`, `${lines.join(width === 30 ? '\n' : '\r\n')}\n`]
  }))),
  "Python's class": `Payment(amount='100.00', sid=${single('it\'s "a\\b" é').replaceAll("'\\''", "'")}, clientTimeStamp=1709912345678)`,
  "JavaScript's console": '{\n  amount: \'100.00\',\n  sid: `it\'s "a\\\\b" é`,\n  clientTimeStamp: 1709912345678,\n}',
  "Ruby's print": '{"amount"=>"100.00", :sid=>"it\'s \\"a\\\\b\\" é", "clientTimeStamp"=>1709912345678}',
  "Java's map": '{amount=100.00, sid=it\'s "a\\b" é, clientTimeStamp=1709912345678}',
  "Java's record in a log line": '10:00 INFO Payment[amount=100.00, sid=it\'s "a\\b" é, clientTimeStamp=1709912345678] {main}',
  "C#'s record": 'Payment { amount = 100.00, sid = it\'s "a\\b" é, clientTimeStamp = 1709912345678 }',
  "PHP's code": '$body = [\'amount\' => \'100.00\', \'sid\' => \'it\\\'s "a\\\\b" é\', \'clientTimeStamp\' => 1709912345678];',
  "PHP's var_export": 'array (\n  \'amount\' => \'100.00\',\n  \'sid\' => \'it\\\'s "a\\\\b" é\',\n  \'clientTimeStamp\' => 1709912345678,\n)',
  "PHP's var_dump": 'array(3) {\n  ["amount"]=>\n  string(6) "100.00"\n  ["sid"]=>\n  string(14) "it\'s "a\\b" é"\n  ["clientTimeStamp"]=>\n  int(1709912345678)\n}',
  'YAML with quotes': 'amount: "100.00"\nsid: \'it\'s "a\\b" é\'\nclientTimeStamp: 1709912345678\n',
  "PowerShell's hashtable": '$body = @{\r\n  amount = "100.00"\r\n  sid    = \'it\'s "a\\b" é\'\r\n  clientTimeStamp = 1709912345678\r\n}',
  "PowerShell's body with backticks": `Invoke-WebRequest -Uri "http://localhost" -Method "POST" \`\n -Body "${text.replaceAll('"', '`"')}"`,
  'lines of JSON': `{"level":30,"msg":"listening"}\n${JSON.stringify({ level: 30, body: request })}\n`
}

for (const [name, given] of Object.entries(accepted)) {
  t.test(name, async t => t.same(requestIn(given, 'FILE'), request))
}

const texts3 = { amount: '100.00', sid: 'a +b', orderId: '', clientTimeStamp: '1709912345678' }
for (const [name, given, more] of [
  ["PHP's print_r", `[27-Nov 10:00] Array
(
    [amount] => 100.00
    [items] => Array
        (
            [0] => 7
        )

    [sid] => a +b
    [orderId] => 
    [clientTimeStamp] => 1709912345678
)

[27-Nov 10:01] done`, { items: { 0: '7' } }],
  ["PHP's object, with line ends of Windows", 'stdClass Object\r\n(\r\n    [amount] => 100.00\r\n    [sid] => a +b\r\n    [orderId] => \r\n    [clientTimeStamp] => 1709912345678\r\n)\r\n'],
  ["PowerShell's list, with a long line broken", `
amount          : 100.00
sid             : a +b
orderId         :
note            : ${'x'.repeat(20)}
                  ${'y'.repeat(20)}
clientTimeStamp : 1709912345678
`, { note: `${'x'.repeat(20)}${'y'.repeat(20)}` }],
  ["PowerShell's table", 'Name             Value\n----             -----\namount           100.00\nsid              a +b\norderId          \nclientTimeStamp  1709912345678\n'],
  ['a form', 'amount=100.00&sid=a+%2Bb&orderId=&clientTimeStamp=1709912345678'],
  ['a query in a log line', '10:00 "GET /pay?amount=100.00&sid=a%20%2bb&orderId=&clientTimeStamp=1709912345678 HTTP/1.1" 403'],
  ['a form as text in JSON', JSON.stringify({ body: 'amount=100.00&sid=a+%2Bb&orderId=&clientTimeStamp=1709912345678' })],
  ['a form in a log line', '10:00 body=amount=100.00&sid=a+%2Bb&orderId=&clientTimeStamp=1709912345678, 12 ms'],
  ['a form in curl', "curl -d 'amount=100.00&sid=a+%2Bb' --data orderId= -d clientTimeStamp=1709912345678 http://localhost"]
] as ReadonlyArray<[string, string, object?]>) {
  t.test(name, async t => t.strictSame(requestIn(given, 'FILE'), { ...texts3, ...more }))
}

t.test('names that differ in case, _ and - are named, and read in the other request', async t => {
  const given = '{"Amount":"100.00","Sid":"s","client_time_stamp":1,"orderId":"O"}'
  t.throws(() => requestIn(given, 'FILE'), new UnreadableError('FILE has keys that the service does not read, since case, _ and - ' +
    'count: Amount must be amount, Sid must be sid, client_time_stamp must be clientTimeStamp'))
  t.strictSame(requestIn(given, 'FILE', true), { amount: '100.00', sid: 's', clientTimeStamp: 1, orderId: 'O' })
})

for (const [given, expected] of [
  ["{'sid': \"it's\", 'orderId': None, 'x': {'ok': True, 'no': [False, 1e+21, 'a\\n\\t']}, 'amount': 100.0}",
    { sid: "it's", orderId: null, x: { ok: true, no: [false, 1e21, 'a\n\t'] }, amount: 100 }],
  ['map[accountNumber:102551 clientTimeStamp:soon orderId:<nil> sid:a: b amount:1 x:map[a:[1 2] b:3]]',
    { accountNumber: '102551', clientTimeStamp: 'soon', orderId: null, sid: 'a: b amount:1', x: 'map[a:[1 2] b:3]' }]
] as const) {
  t.test(`other values: ${given}`, async t => t.strictSame(requestIn(`x ${given} y`, 'FILE'), expected))
}

const nothing = 'FILE contains no request: an object with fields such as sid and clientTimeStamp, as JSON, Python, JavaScript, ' +
  'Ruby, Go, Java, PHP, PowerShell, forms and query strings, or a curl command'

const refused: Array<[string, string, string]> = [
  ['nothing', ' \n', 'FILE is empty: it must contain a request'],
  ['no JSON', 'hello', nothing],
  ['another object', '{"merchant_token":"canary"}', nothing],
  ['base64 that does not begin with {"', JSON.stringify({ text: btoa(`{ "b":${text.replace('é', '')}}`) }), nothing],
  ['a list', '["sid"]', nothing],
  ['nine levels down', `{"a":${'['.repeat(8)}${text}${']'.repeat(8)}}`, nothing],
  ['a million quotes in a text without an end', `x {"${'\\"'.repeat(1_000_000)}`, nothing],
  ['too deep', `{"a":${'['.repeat(10)}${text}${']'.repeat(10)}}`, nothing],
  ['two requests', `${text}\n${text.replace('100', '101')}`, 'FILE contains 2 requests: pass only one'],
  ['a comma too many', '{\n  "sid": "canary",\n  "x": { "amount": "1.00" },\n}', 'FILE is not JSON: see line 4, column 1'],
  ['single quotes in JSON', '{"sid":\'canary\'}', 'FILE is not JSON'],
  ...["{'sid': canary}", "{'sid': 'canary'", 'map[sid:canary', 'map[]', 'map[a b]', '{"x":"map[sid:a] b"}'].map(text =>
    [`broken: ${text}`, text, nothing] as [string, string, string]),
  ["Python's datetime", 'at(7) {\'sid\': \'x (y)\', "z(": \'\', \'at\': datetime.datetime(2026, 3, 1), \'b\': b(\'\')} c()',
    'FILE contains datetime.datetime(…), which cannot be read: replace it with the value that was sent'],
  ["Python's dictionary with a call, without an end", "{'sid': SecretStr('canary')",
    'FILE contains SecretStr(…), which cannot be read: replace it with the value that was sent'],
  ['no end', '{"sid":"canary"', 'FILE is not JSON: see line 1, column 16'],
  ['JSON cut short', '{"sid":canary', 'FILE is not JSON'],
  ['curl without a body', 'curl http://localhost', 'the curl command has no body: it needs -d, --data, --data-raw or --json'],
  ['curl with nothing after -d', 'curl http://localhost -d', 'the curl command has no body: it needs -d, --data, --data-raw or --json'],
  ['curl with a file', 'curl -d @request.json http://localhost', 'the curl command reads its body from a file: use that file instead'],
  ['curl with an empty body', 'curl --data= http://localhost', nothing],
  ['curl with a variable after =', 'curl --data="{\\"sid\\":\\"$SID\\"}"', 'the body of the curl command contains a variable or a command, which only a shell can expand: use the expanded command instead'],
  ['curl with a raw @', "curl --data-raw '@request.json' http://localhost", nothing],
  ['curl with a raw @ after =', "curl --data-raw='@request.json' http://localhost", nothing],
  ['curl with a body in two pieces, which it joins with &', 'curl -d \'{"sid":"x",\' -d \'"clientTimeStamp":1}\'', 'FILE is not JSON: see line 1, column 12'],
  ['curl without the end of a quote', "curl -d '{", 'the curl command has an unclosed quote'],
  ...[...'ntrbfvae'].map((letter): [string, string, string] =>
    [`curl with a control character, \\${letter}, in a value`, `curl -d $'{"sid":"a\\${letter}b"}'`, 'FILE is not JSON: see line 1, column 10']),
  ['curl for cmd', 'curl ^"http://localhost^" --data-raw ^"^{^\\^"sid^\\^":1^}^"', 'this curl command is quoted for Windows\' cmd, which is not supported: copy it as cURL (bash), or pass the JSON body'],
  ['curl with a variable in double quotes', 'curl -d "{\\"sid\\":\\"$SID\\"}"', 'the body of the curl command contains a variable or a command, which only a shell can expand: use the expanded command instead'],
  ['curl with a variable outside of quotes', 'curl -d {\\"sid\\":\\"$SID\\"}', 'the body of the curl command contains a variable or a command, which only a shell can expand: use the expanded command instead'],
  ['curl with a command', 'curl -d {\\"clientTimeStamp\\":`date`}', 'the body of the curl command contains a variable or a command, which only a shell can expand: use the expanded command instead']
]

for (const [name, given, message] of refused) {
  t.test(`refused: ${name}`, async t => t.throws(() => requestIn(given, 'FILE'), { message: whole(message), name: 'UnreadableError' }))
}

t.test('braces and quotes inside texts are read', async t => {
  const tricky = { orderId: '', sid: '}', amount: '1"}{', clientTimeStamp: 1 }
  t.same(requestIn(`at 10:00 ${JSON.stringify(tricky)} {`, 'FILE'), tricky)
})

t.test('white space before JSON and text after it are ignored', async t => t.same(requestIn(`\n  ${body} 200 12ms`, 'FILE'), JSON.parse(body)))

t.test('the outer of two nested requests is read', async t => {
  const outer = { sid: 'outer', clientTimeStamp: 1, was: { sid: 'inner', clientTimeStamp: 2 } }
  t.same(requestIn(JSON.stringify(outer), 'FILE'), outer)
})

t.test('a dollar sign that a shell does not expand is read', async t => {
  t.same(requestIn('curl -d "{\\"sid\\":\\"\\$1\\"}"', 'FILE'), { sid: '$1' })
  t.same(requestIn("curl -d '{\"sid\":\"$1\"}'", 'FILE'), { sid: '$1' })
})

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

const sent = { Amount: '1.5', sid: 's-1.50', clientTimeStamp: 1709912345678, merchantToken: 'canary', signature: first }
const read = { amount: '1.5', sid: 's-1.50', clientTimeStamp: '1709912345678', merchantToken: 'canary', signature: first }
const form = formOf(sent)
for (const [name, call] of Object.entries({
  'a form body': { request: { url: 'https://pay.example/', postData: { text: form } } },
  'a query': { request: { url: `https://pay.example/?${form}`, headers: [] } }
})) {
  t.test(`the calls of one payment are one: ${name} in a HAR`, async t => {
    const content = { text: JSON.stringify({ signature: first }) }
    const entries = [{ request: { postData: { text: texts[0] } }, response: { content } }, call]
    t.strictSame(signedRequestsIn(JSON.stringify({ log: { entries } })), [{ ...byOne, otherRequest: read }])
  })
}

t.test('the calls of one payment are one: lines of a log', async t => {
  t.strictSame(signedRequestsIn(`sign ${texts[0]}\n-> ${first}\npay ${form}\n-> 403\nsign ${texts[1]} ${second}`), [{ ...byOne, otherRequest: read }, byTwo])
  const late = { ...sent, sid: 'another' }
  t.match(signedRequestsIn(`sign ${texts[0]} ${first}\npay ${JSON.stringify(late)}`), [{ ...byOne, otherRequest: { sid: 'another' } }], 'another sid')
  t.match(signedRequestsIn(`sign ${texts[0]} ${first}\npay ${JSON.stringify({ ...sent, signature: second })}`), { length: 2 }, 'another signature')
  t.match(signedRequestsIn(`${JSON.stringify({ ...one, signature: first })}\n${JSON.stringify({ ...two, signature: first })}`), { length: 2 },
    'one signature sent twice')
})

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
