import t from 'tap'
import { answerIn, decisionOf, refusedBy } from '../../../src/backend/backend.js'

/** Returns the decision in the body of a response with status 200; undefined if it has none. */
function verdictOf (text: string): boolean | undefined {
  try {
    return decisionOf(answerIn(text), 'no decision') === true
  } catch {
    return undefined
  }
}

/** Returns the refusal of a response with status 409 and this body. */
const refusalIn = (text: string) => refusedBy({ ...answerIn(text), statusCode: 409 })

const bodies: ReadonlyArray<readonly [verdict: boolean | undefined, texts: readonly string[]]> = [
  [true, [
    '{"allowed":true}', '\n{"allowed" : true }\n', '{"\\u0061llowed":true}', '{"allowed":true,"error":"ignored"}', '{"allowed":true,"statusCode":403}',
    '{"allowed":true,"Allowed":false}', '{"allowed":true,"data":{"allowed":false}}', '{"allowed":true,"id":"\\ud800"}'
  ]],
  [false, ['{"allowed":false}', '{"allowed":false,"error":"not yours"}', '{"allowed":false,"ok":true}', '{"error":{"error":0},"allowed":false}']],
  [undefined, [
    // Other values and other names.
    '{"allowed":"true"}', '{"allowed":"false"}', '{"allowed":1}', '{"allowed":0}', '{"allowed":null}', '{"allowed":{}}', '{"allowed":[true]}',
    '{"allowed":{"allowed":true}}', '{"Allowed":true}', '{"allow":true}', '{"authorized":true}', '{"decision":true}', '{"ok":true}',
    '{"success":true}', '{"result":true}', '{"data":{"allowed":true}}', '{"error":"not yours"}', '{"__proto__":{"allowed":true}}', '{}',
    // Envelopes that once got a signature.
    '{"success":true,"data":false}', '{"success":true,"payload":{"authorized":false}}', '{"ok":true,"status":"denied"}',
    // Anything but one object.
    '', ' ', 'null', 'true', '"true"', '1', 'OK', 'allowed', '[]', '[true]', '[{"allowed":true}]', '<html>OK</html>', '\ufeff{"allowed":true}',
    '{"allowed":true', '{"allowed":true,', '{"allowed":true,}', '{"allowed":true}{"allowed":true}', '{"allowed":true}\n.',
    // Duplicate keys.
    '{"allowed":false,"allowed":true}', '{"allowed":true,"allowed":true}', '{"allowed":true,"\\u0061llowed":false}',
    '{"id":1,"id":2,"allowed":true}', '{"allowed":true,"data":{"id":1,"id":2}}', '{"allowed":false,"data":[{"":1,"":2}]}'
  ]]
]

for (const [verdict, texts] of bodies) {
  for (const text of texts) {
    t.test(`${JSON.stringify(text)} is ${verdict}`, async t => t.equal(verdictOf(text), verdict))
  }
}

t.test('deep nesting', async t => {
  t.equal(verdictOf(`{"allowed":true,"data":${'{"data":'.repeat(1800)}{}${'}'.repeat(1800)}}`), true)
  t.equal(verdictOf(`{"allowed":false,"error":${'['.repeat(8000)}${']'.repeat(8000)}}`), false)
})

t.test('the message of a refusal', async t => {
  for (const [text, message] of [
    ['{"error":"not yours"}', 'not yours'],
    ['{"allowed":false,"error":"not yours"}', 'not yours'],
    ['{"error":"not yours","error":"paid"}', 'paid'],
    ['{"error":""}', 'Refused by the merchant'],
    ['{"error":{"message":"not yours"}}', 'Refused by the merchant'],
    ['{"allowed":false}', 'Refused by the merchant'],
    ['false', 'Refused by the merchant'],
    ['null', 'Refused by the merchant'],
    ['not yours', 'Refused by the merchant'],
    ['', 'Refused by the merchant']
  ] as const) {
    t.match(refusalIn(text), { message, headers: {} }, text)
  }
})

t.test('the reason of a refusal', async t => {
  for (const code of ['a', 'ALREADY_PAID', 'stock.empty-2', 'x'.repeat(64)]) {
    const { message, headers } = refusalIn(JSON.stringify({ code }))
    t.equal(message, 'Refused by the merchant')
    t.strictSame(headers, { 'error-code': `refused; reason=${code}` })
  }
  for (const code of [undefined, null, 7, {}, ['PAID'], '', 'x'.repeat(65), 'a b', 'a;b', 'a\n', 'a\r\nx: y', '"a"', 'a=b', 'é']) {
    const { message, headers } = refusalIn(JSON.stringify({ code, error: 'no' }))
    t.equal(message, 'no')
    t.strictSame(headers, {})
  }
})
