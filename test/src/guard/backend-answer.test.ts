import t from 'tap'
import { isAllowedBy, refusalIn } from '../../../src/guard/backend-answer.js'

const answers: Record<'yes' | 'no' | 'neither', readonly string[]> = {
  yes: [
    '', ' \r\n', 'OK', 'ok\n', 'Created', 'Accepted', 'true', 'True', 'yes', 'Allow', 'allowed', '1', '"OK"', '"allowed"',
    '{}', '{"allow":true}', '{"allowed":"true"}', '{"Allowed":true}', '{"result":"OK"}', '{"ok":1}', '{"success":true}',
    '{"allowed":true,"error":null}', '{"error":null}', '{"error":false}', '{"error":""}', '{"error":0}', '{"orderId":"A-1","amount":"0"}',
    '{"result":{}}', '{"result":{"allow":true}}', '{"data":{"allowed":true}}', '{"data":null}', '{"data":[]}', '{"data":false}',
    '{"order":{"allowed":false}}', '{"allowedUntil":false}', '\n{"allowed" : true }\n'
  ],
  no: [
    'false', 'False', 'no', 'deny', 'Denied\n', '0', '"no"', '{"allow":false}', '{"allowed":false}', '{"authorized":false}',
    '{"ok":false}', '{"success":false}', '{"result":false}', '{"ALLOW":false}', '{"Result":"denied"}', '{"allow":"false"}',
    '{"allow":0}', '{"error":"not yours"}', '{"Error":"not yours"}', '{"error":{}}', '{"error":[]}', '{"error":true}',
    '{"allowed":true,"error":"not yours"}', '{"allowed":true,"result":false}', '{"allowed":[],"result":false}',
    '{"data":{"allowed":false}}', '{"result":{"allow":false}}', '{"data":{"result":{"error":"not yours"}}}', '{"ok":true,"data":{"ok":false}}'
  ],
  neither: [
    '<html>OK</html>', '<!doctype html><title>Log in</title>', '{"allowed":true', '{"allow', '{', '[', 'not allowed', 'OK, but', 'O K',
    'maintenance', 'null', '2', '-1', '""', '[]', '[true]', '[{"allowed":true}]', '{"allowed":null}', '{"allowed":""}', '{"allowed":"maybe"}',
    '{"allowed":2}', '{"allowed":{}}', '{"allowed":[]}', '{"result":null}', '{"result":[true]}', '{"result":{"allow":null}}',
    '{"data":{"allowed":null}}', '{"allowed":"toString"}', 'constructor', '{"allowed":true}{"allowed":true}'
  ]
}

const verdicts = { yes: true, no: false, neither: undefined }

for (const [verdict, texts] of Object.entries(answers)) {
  for (const text of texts) {
    t.test(`${JSON.stringify(text)} is ${verdict}`, async t => {
      t.equal(isAllowedBy(text), verdicts[verdict as keyof typeof verdicts])
    })
  }
}

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
