import { inspect } from 'node:util'
import t from 'tap'
import { GuardedVariantA as VariantA, GuardedVariantB as VariantB } from '../../support/guarded-shim.js'
import { fieldsOf, type SignatureRequest, toText } from '../../../src/scheme/request.js'
import { readerOf, signerOf } from '../../../src/scheme/variants.js'
import { compare, verify } from '../../../src/scheme/verify.js'
import { whole } from '../../support/whole.js'
import { requests, signature, token } from '../../support/wrong-signatures.js'

const uuid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

t.test('values as text', async t => {
  for (const [value, text] of [
    [100.00, '100'], [-0, '0'], [null, 'null'], [undefined, 'undefined'], [['a', ['b', null]], 'a,b,'], [{}, '[object Object]']
  ] as const) t.equal(toText(value), text)
  t.throws(() => toText({ toString: 1 }), {
    name: 'SigningError', code: 'ERR_NOT_TEXT', message: whole('Cannot convert object to primitive value'), cause: TypeError
  })
})

/** Returns nested arrays. */
function nested (levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)]
}

t.test('arrays may be nested 100 levels deep', async t => {
  t.equal(toText(nested(100)), 'x')
  t.throws(() => toText(nested(101)), { code: 'ERR_NOT_TEXT', message: whole('a value is nested more than 100 levels deep') })
  t.throws(() => toText(['a', nested(5000)]), { code: 'ERR_NOT_TEXT' })
  t.throws(() => toText([Symbol('a')]), { code: 'ERR_NOT_TEXT' })
  t.throws(() => toText({ toString () { throw null } }), { code: 'ERR_NOT_TEXT', message: whole('a value has no text') }) // eslint-disable-line no-throw-literal
})

t.test('the reading and the copies for guards are frozen', async t => {
  const reading = readerOf('A').read(purchase)
  for (const change of [
    () => { (reading as { amount: string }).amount = '1.00' },
    () => { (reading.fields as { amount: string }).amount = 'orderId' },
    () => { (fieldsOf(reading) as { amount: string }).amount = '1.00' }
  ]) t.throws(change, TypeError)
})

t.test('a reading contains nothing that is not signed, such as the token, and is signed with the token', async t => {
  const reading = readerOf('A').read({
    ...purchase, merchantToken: 'canary-token', transactionFCRN: 'canary', transactionId: 'canary', idType: 'canary', AMOUNT: 'canary'
  } as SignatureRequest)
  t.notMatch(JSON.stringify([reading, Reflect.ownKeys(reading), fieldsOf(reading)]), /canary/i)
  const signedWith = (token: string) => signerOf('A', token).sign(purchase)
  t.equal(signerOf('A', 'token').signReading(reading), signedWith('canary-token'))
  t.equal(signerOf('A', 'token').sign({ ...purchase, merchantToken: '' }), signedWith('token'))
  // printf '%s' 1709912345678ORDER-12345102551100.00 | sha256sum
  t.equal(signerOf('A', 'token').sign({ ...purchase, merchantToken: [] }).slice(67), '362f676e6a45d193325c5d83b5bd00de537101b36c07a0a3669a39ef13367bfb', 'an empty array is truthy')
})

t.test('the variant must be A or B', async t => {
  for (const variant of ['C', 'a', '', undefined]) {
    t.throws(() => readerOf(variant as 'A'), {
      name: 'UsageError', code: 'ERR_VARIANT', message: whole('variant must be "A" or "B"')
    })
  }
})

t.test('a reader without a token signs requests with their own token only', async t => {
  const reader = readerOf('A')
  t.throws(() => reader.sign(purchase), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' })
  t.equal(reader.sign({ ...purchase, merchantToken: 'token' }), signerOf('A', 'token').sign(purchase))
})

t.test('each value is converted to text once', async t => {
  for (const [variant, used] of [
    ['A', ['operationType', 'amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType']], ['B', ['amount', 'orderId']]
  ] as const) {
    let conversions = 0
    const value = { toString () { conversions++; return '5.00' } }
    const other = { merchantAccountNumber: value, clientTimeStamp: value, merchantToken: value, sid: uuid }
    const reading = readerOf(variant).read({ ...other, ...Object.fromEntries(used.map(field => [field, value])) })
    t.equal(conversions, used.length + 3)
    t.equal(reading.amount, '5.00')
  }
})

t.test('guards get the text that is hashed, and a signer signs the text that was sent', async t => {
  const half = '\ud83d'
  const reading = readerOf('A').read({
    operationType: 'inquiry', transactionId: `${half}1`, idType: `${half}2`, accountNumber: `${half}3`, sid: `${half}4`, clientTimeStamp: `5${half}`
  })
  t.strictSame(fieldsOf(reading), {
    operationType: 'inquiry', merchantAccountNumber: '\ufffd3', transactionId: '\ufffd1', idType: '\ufffd2', sid: '\ufffd4', clientTimeStamp: '5\ufffd'
  })
  const joined = readerOf('A').read({ ...common, sid: `s${half}`, amount: '\ude005.00', orderId: half })
  t.match(fieldsOf(joined), { sid: 's\ufffd', amount: '\ufffd5.00', orderId: '\ufffd' })
  const signer = signerOf('A', 'token')
  // printf '%s' '1709912345678s😀5.00' | sha256sum
  t.equal(signer.signReading(joined).slice(0, 64), '312946b2c072783549b8e91d999b88cc8b77feaa987abe0ec0d2db715656e248')
})

t.test('a long operationType is not converted to lower case, which is expensive for some letters', async t => {
  const calls = t.capture(String.prototype, 'toLowerCase', String.prototype.toLowerCase)
  t.equal(readerOf('A').read({ ...purchase, operationType: 'İ'.repeat(50_000) }).operation, 'purchase')
  t.strictSame(calls().filter(({ receiver }) => String(receiver).length > 100), [])
  t.equal(readerOf('A').read({ ...common, operationType: 'REFUND', transactionFCRN: '1', amount: '1.00' }).operation, 'refund')
})

// vectors/refusals.json has every refusal with its message; the codes are here.

for (const Variant of [VariantA, VariantB]) {
  t.test(`refusals of both variants, ${Variant.name}`, async t => {
    const signer = new Variant('secret')
    const request = { accountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }

    t.notMatch(inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer), 'secret')
    t.throws(() => signer.sign({ ...request, sid: ' ' }), { name: 'SigningError', code: 'ERR_SID_INVALID' })
    for (const token of ['', undefined, null, 7, Symbol('token')]) {
      t.throws(() => new Variant(token as never), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' }, String(token))
    }
    const notConstructed = Object.create(Variant.prototype)
    t.throws(() => notConstructed.signReading(signer.read({ ...request, operationType: 'void' })), { code: 'ERR_MERCHANT_TOKEN' })
    for (const misuse of [undefined, null, 'text', []]) {
      t.throws(() => signer.sign(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' }, JSON.stringify(misuse))
    }

    const operation = Variant === VariantA ? { operationType: 'purchase' } : {}
    const regular = { ...request, ...operation, amount: '100.00' }
    const inquiry = { ...request, operationType: 'inquiry', idType: 'FCRN', transactionId: '987654' }
    const likeVoid = 'transactionId must not be only digits: the signature would also be that of a void on FCRN 987654; ' +
      'a policy can allow it to callers that may void'
    for (const [options, refused, code, message] of [
      [{ acceptBodyToken: false }, { ...regular, merchantToken: 'its own' }, 'ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out'],
      [{ acceptBodyToken: false, strict: true }, { ...regular, merchantToken: 7, amount: '1' }, 'ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out'],
      [{ strict: true }, { ...regular, merchantToken: 'its own' }, 'ERR_STRICT', 'merchantToken must be left out: only the configured token signs'],
      [{ strict: true }, { ...regular, amount: '1' }, 'ERR_STRICT', 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
      [{ strict: true }, { ...regular, accountNumber: '1' }, 'ERR_STRICT', 'accountNumber must be 6 ASCII digits'],
      [{ strict: true, accountNumberDigits: 5 }, regular, 'ERR_STRICT', 'accountNumber must be 5 ASCII digits'],
      [{ strict: true }, { ...regular, clientTimeStamp: 9999999999999 }, 'ERR_STRICT', /ahead of the service's clock; it may be at most 86400000 ms ahead$/],
      ...Variant === VariantA ? [[{ strict: true }, inquiry, 'ERR_STRICT', likeVoid] as const] : []
    ] as const) {
      const what = `${JSON.stringify(options)} refuses ${JSON.stringify(refused)}, which is signed by default`
      const guarded = new Variant('secret', options)
      t.throws(() => guarded.sign(refused), { name: 'InvalidRequestError', code, message: whole(message) }, what)
      t.match(signer.sign(refused), /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/, what)
      t.throws(() => guarded.read(refused), { code }, 'as a signer of the plugin')
    }
    t.equal(new Variant('secret', { acceptBodyToken: false, strict: true }).sign(regular), signer.sign(regular))

    for (const options of [
      null, { acceptBodyToken: 'false' }, { strict: 1 }, { stict: true },
      ...[0, 33, 1.5, '1,9', null].map(accountNumberDigits => ({ strict: true, accountNumberDigits })),
      { timeStampMaxAhead: 5 }
    ]) {
      t.throws(() => new Variant('secret', options as never), {
        name: 'UsageError',
        code: 'ERR_OPTIONS',
        message: whole('acceptBodyToken and strict must be true or false, accountNumberDigits an integer from 1 to 32; ' +
          'there are no other options')
      }, JSON.stringify(options))
    }
    for (const options of [{ accountNumberDigits: 1 }, { accountNumberDigits: 32 }, {}]) {
      t.doesNotThrow(() => new Variant('secret', { strict: true, ...options }))
    }
    t.throws(() => new Variant('10.10', { strict: true }), {
      name: 'UsageError', code: 'ERR_STRICT_TOKEN', message: whole('strict needs a token that has more than digits and points')
    })
    t.doesNotThrow(() => new Variant('10.10'))
  })
}

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

t.test('a fault that is not a refusal is thrown', async t => {
  const faulty = { ...request, get amount (): string { throw new RangeError('not ours') } }
  t.throws(() => verify(right, faulty, scheme), new RangeError('not ours'))
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
