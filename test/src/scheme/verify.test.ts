import t from 'tap'
import { compare, verify } from '../../../src/scheme/verify.js'
import { whole } from '../../support/whole.js'
import { requests, signature, token } from '../../support/wrong-signatures.js'

const scheme = { variant: 'A', merchantToken: token } as const
const request = requests.refund
const right = signature('refund')
const [part1 = '', part2 = ''] = right.split('///')

for (const [what, given, expected] of [
  ['a right signature', right, [true, true, true]],
  ['another part 1', `${part1.replace(/^./, 'x')}///${part2}`, [false, false, true]],
  ['another part 2', `${part1}///${part2.replace(/.$/, 'x')}`, [false, true, false]],
  ['swapped parts', `${part2}///${part1}`, [false, false, false]],
  ['upper case', right.toUpperCase(), [false, false, false]],
  ['one part', part1, [false, true, false]],
  ['trailing text', `${right}///`, [false, true, true]],
  ['a trailing line break', `${right}\n`, [false, true, false]],
  ['nothing', '', [false, false, false]],
  ['a character of two bytes', `${part1.slice(0, -1)}é///${part2}`, [false, false, true]]
] as const) {
  t.test(`verify, compare: ${what}`, async t => {
    t.equal(verify(given, request, scheme), expected[0])
    const { valid, part1, part2, refusal } = compare(given, request, scheme)
    t.same([valid, part1, part2, refusal], [...expected, ''])
  })
}

t.test('a token in the request is reported and not used', async t => {
  const own = { ...request, merchantToken: 'its own' }
  t.strictSame(compare(signature('refund', { token: 'its own' }), own, scheme), {
    valid: false, part1: true, part2: false, ownToken: true, refusal: ''
  })
  t.strictSame(compare(right, own, scheme), { valid: true, part1: true, part2: true, ownToken: true, refusal: '' })
  t.equal(compare(right, { ...own, sid: ' ' }, scheme).ownToken, true)
  t.equal(compare(right, { ...request, merchantToken: '' }, scheme).ownToken, false)
})

t.test('no signature is right for a request that cannot be signed', async t => {
  t.same(compare(right, { ...request, amount: '0' }, scheme), {
    valid: false, part1: false, part2: false, ownToken: false, refusal: 'Invalid amount: amount must be greater than 0'
  })
  t.equal(compare(right, { ...request, sid: ' ' }, scheme).refusal, 'sid must be a non-empty string')
})

t.test('verify throws for misuse only', async t => {
  for (const [signature, sent, options, code, message] of [
    [undefined, request, scheme, 'ERR_SIGNATURE', 'signature must be a string'],
    [right, 'text', scheme, 'ERR_REQUEST', 'request must be an object, such as a decoded JSON body'],
    [right, null, scheme, 'ERR_REQUEST', 'request must be an object, such as a decoded JSON body'],
    [right, request, { ...scheme, merchantToken: '' }, 'ERR_MERCHANT_TOKEN', 'merchantToken must be a non-empty string'],
    [right, request, undefined, 'ERR_MERCHANT_TOKEN', 'merchantToken must be a non-empty string'],
    [right, {}, { ...scheme, variant: 'C' }, 'ERR_VARIANT', 'variant must be "A" or "B"']
  ] as const) {
    t.throws(() => verify(signature as never, sent as never, options as never), { name: 'UsageError', code, message: whole(message) })
  }
})
