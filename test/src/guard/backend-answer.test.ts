import t from 'tap'
import { refusalIn, verdictIn } from '../../../src/guard/backend-answer.js'

const neither = 'a body that says neither yes nor no'
const both = 'a body that says both yes and no'
const duplicates = 'a body with duplicate keys'

const bodies: ReadonlyArray<readonly [verdict: boolean | string, texts: readonly string[]]> = [
  [true, [
    'OK', 'ok\n', 'Created', 'Accepted', 'true', 'True', 'yes', 'Allow', 'allowed', '1', '"OK"', '"allowed"', '\ufefftrue',
    '{"allow":true}', '{"allowed":"true"}', '{"Allowed":true}', '{"authorized":true}', '{"approved":true}', '{"permitted":"yes"}',
    '{"decision":true}', '{"decision":"ALLOW"}', '{"ok":1}', '{"success":true}', '{"result":"OK"}', '{"result":true}',
    '{"result":{"allow":true}}', '{"data":{"allowed":true}}', '{"data":{"result":{"allow":true}}}', '{"DATA":{"ok":true}}',
    '{"result":true,"decision_id":"4711"}', '{"decision":true,"context":{"reason":"denied"}}', '{"success":true,"result":{"id":7}}',
    '{"allowed":true,"error":null,"errors":[],"deny":false,"denied":""}', '{"result":{"allow":true,"deny":[]}}',
    '{"allowed":true,"Allowed":true}', '{"allowed":true,"data":null}', '{"allowed":true,"data":[{"allowed":false}]}',
    '{"allowed":true,"order":{"allowed":false,"error":"paid"}}', '\n{"allowed" : true }\n', '\ufeff{"allowed":true}'
  ]],
  [false, [
    'false', 'False', 'no', 'deny', 'Denied\n', '0', '"no"', '{"allow":false}', '{"allowed":false}', '{"authorized":false}',
    '{"approved":false}', '{"permitted":false}', '{"decision":false}', '{"decision":"DENY"}', '{"ok":false}', '{"success":false}',
    '{"result":false}', '{"ALLOW":false}', '{"Result":"denied"}', '{"allow":"false"}', '{"allow":0}',
    '{"deny":true}', '{"deny":["too much"]}', '{"denied":"yes"}', '{"denied":0}', '{"error":"not yours"}', '{"Error":"not yours"}',
    '{"error":{}}', '{"error":true}', '{"error":0}', '{"errors":[{"message":"not yours"}]}', '{"data":null,"errors":[null]}',
    '{"data":{"allowed":null},"errors":[{"message":"not yours"}]}', '{"allowed":false,"error":"not yours"}', '{"allowed":[],"result":false}',
    '{"data":{"allowed":false}}', '{"result":{"allow":false}}', '{"result":{"allow":false,"deny":["too much"]}}',
    '{"data":{"result":{"error":"not yours"}}}'
  ]],
  [both, [
    '{"allowed":true,"error":"not yours"}', '{"allowed":true,"result":false}', '{"ok":true,"data":{"ok":false}}', '{"success":true,"deny":true}',
    '{"data":{"allowed":true},"errors":[{"message":"not yours"}]}', '{"result":{"allow":true,"deny":["too much"]}}',
    '{"allowed":false,"Allowed":true}', '{"data":{"allowed":true},"Data":{"allowed":false}}', '{"approved":true,"denied":"false"}'
  ]],
  [neither, [
    '{}', '{"result":{}}', '{"status":"denied"}', '{"code":403}', '{"state":"pending review"}', '{"orderId":"A-1","amount":"0"}',
    '{"error":null}', '{"error":false}', '{"error":""}', '{"errors":[]}', '{"deny":false}', '{"data":null}', '{"data":[]}', '{"data":false}',
    '{"order":{"allowed":false}}', '{"order":{"allowed":true}}', '{"allowedUntil":false}', '{"__proto__":{"allowed":true}}',
    '', ' \r\n', '\ufeff', '<html>OK</html>', '<!doctype html><title>Log in</title>', '{"allowed":true', '{"allow', '{', '[', 'not allowed',
    'OK, but', 'O K', 'maintenance', 'null', '2', '-1', '""', '[]', '[true]', '[{"allowed":true}]', '{"allowed":null}', '{"allowed":""}',
    '{"allowed":"maybe"}', '{"allowed":2}', '{"allowed":{}}', '{"allowed":{"allowed":true}}', '{"allowed":[]}', '{"allowed":[true]}',
    '{"result":null}', '{"result":[true]}', '{"result":{"allow":null}}', '{"data":{"allowed":null}}', '{"decision":"NotApplicable"}',
    '{"success":true,"decision":"review"}', '{"allowed":true,"result":null}', '{"allowed":"toString"}', 'constructor',
    '{"allowed":true}{"allowed":true}'
  ]],
  [duplicates, [
    '{"allowed":false,"allowed":true}', '{"allowed":true,"allowed":true}', '{"allowed":true,"\\u0061llowed":false}',
    '{"data":{"allowed":false},"data":{"allowed":true}}', '{"data":{"allowed":true,"allowed":true}}', '{"id":1,"id":2,"allowed":true}'
  ]]
]

for (const [verdict, texts] of bodies) {
  for (const text of texts) {
    t.test(`${JSON.stringify(text)} is ${verdict}`, async t => t.equal(verdictIn(text), verdict))
  }
}

t.test('deep nesting', async t => {
  t.equal(verdictIn(`${'{"data":'.repeat(1800)}{"ok":true}${'}'.repeat(1800)}`), true)
  t.equal(verdictIn(`{"error":${'['.repeat(8000)}${']'.repeat(8000)}}`), false)
})

t.test('the message of a refusal', async t => {
  for (const [text, message] of [
    ['{"error":"not yours"}', 'not yours'],
    ['{"allowed":false,"error":"not yours"}', 'not yours'],
    ['{"error":""}', 'Refused by the merchant'],
    ['{"error":{"message":"not yours"}}', 'Refused by the merchant'],
    ['{"allowed":false}', 'Refused by the merchant'],
    ['false', 'Refused by the merchant'],
    ['null', 'Refused by the merchant'],
    ['not yours', 'Refused by the merchant'],
    ['', 'Refused by the merchant']
  ] as const) {
    t.equal(refusalIn(text), message, text)
  }
})
