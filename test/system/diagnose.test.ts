import { createHmac } from 'node:crypto'
import t from 'tap'
import { quote } from '../../src/text/characters.js'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { isFirst } from '../support/diagnosed.js'
import { namedMistakes } from '../support/named-mistakes.js'
import {
  digest, requests, sid, signature, signed, textsOf, token, uses
} from '../support/wrong-signatures.js'

t.test('the right cause is first for each named mistake, quotes the hashed and the sent text, and never the token', async t => {
  let quoted = 0
  for (const mistake of namedMistakes) {
    for (const [use, { signature, request, options }] of mistake.attempts) {
      const diagnosis = diagnose(signature, request, options)
      const what = `${use}, ${mistake.hypothesis}, ${mistake.what}`
      t.ok(isFirst(mistake, diagnosis), `${what}: ${JSON.stringify(diagnosis.causes)}`)
      t.notOk(JSON.stringify(diagnosis).includes(options.merchantToken!), `${what}: no token is shown`)
      const [{ finding = '' } = {}] = diagnosis.causes[0]?.changes ?? []
      const [, hashed, sent] = /^(?:In part \d: )?\w+ was "(.*)" when it was signed; your request has "(.*)"\.$/.exec(finding) ?? []
      const [, isHashed, isSent] = /^\w+ "(.*)" for "?(.*?)"?$/.exec(mistake.what) ?? []
      if (hashed === undefined || isHashed === undefined || isSent === undefined || isHashed === '' || mistake.hypothesis.includes('+')) continue
      t.strictSame([hashed, sent], [isHashed, isSent].map(text => quote(JSON.parse(`"${text}"`)).slice(1, -1)), what)
      quoted++
    }
  }
  t.ok(quoted > 500, String(quoted))
})

const { purchase } = requests
const scheme = { variant: 'A', merchantToken: token } as const

for (const [what, sign, findings] of [
  ['a separator and an HMAC',
    (terms: string[]) => createHmac('sha256', token).update(terms.filter(term => term !== token).join('|')).digest('hex'),
    ['The terms were joined with "|" between them.', 'The digests were HMACs with the token as the key.']],
  ['what Sprintln of Go prints', (terms: string[]) => digest(`${terms.join(' ')}\n`),
    ['The terms were joined with " " between them.', 'The hashed text had a line break at its end, or amount had.']]
] as const) {
  t.test(`two changes of the computation are found: ${what}`, async t => {
    const { part1, part2, causes } = diagnose(signed(textsOf('purchase', purchase, token), sign), purchase, scheme)
    t.strictSame(causes[0]?.changes.map(({ finding }) => finding), findings)
    t.notMatch([part1, part2], ['unexplained'])
  })
}

t.test('three mistakes, two of them in each part, are found together', async t => {
  const wrong = signature('purchase', { time: '1709912345', sid: `{${sid}}`, token: `${token}\n` })
  const { causes } = diagnose(wrong, requests.purchase, { variant: 'A', merchantToken: token })
  t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis).sort(), ['sid-wrapped', 'timestamp-unit', 'token-newline'])
})

for (const use of uses) {
  t.test(`an unknown signature has no cause, within the documented number of texts: ${use}`, async t => {
    const options = { variant: use === 'B' ? 'B' : 'A', merchantToken: token } as const
    const nothing = 'a'.repeat(64)
    const whole = diagnose(`${nothing}///${nothing}`, requests[use], options)
    t.match(whole, { part1: 'unexplained', part2: 'unexplained', causes: [] })
    t.ok(whole.tries > 100_000 && whole.tries <= 1_300_000, `${whole.tries} tries`)
    if (use === 'purchase') t.match(whole, { complete: true, hints: { length: 2 } })
    const half = diagnose(signature(use).replace(/[^/]+$/, nothing), requests[use], options)
    t.match(half, { part1: 'matches', part2: 'unexplained', causes: [] })
    t.ok(half.tries <= 1_300_000, `${half.tries} tries for part 2`)
  })
}
