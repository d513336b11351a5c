import t from 'tap'
import { GuardedVariantA as VariantA, GuardedVariantB as VariantB } from '../../../src/guard/guarded.js'
import { checkRequest } from '../../../src/scheme/request.js'
import { whole } from '../../support/whole.js'

// vectors/refusals.json has every refusal with its message; the codes are here.

t.test('codes of the refusals of both variants', async t => {
  const request = { accountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }
  for (const [field, value, code] of [
    ['amount', '0', 'ERR_AMOUNT_NOT_POSITIVE'], ['accountNumber', '', 'ERR_ACCOUNT_NUMBER_REQUIRED'], ['sid', '', 'ERR_SID_REQUIRED'],
    ['clientTimeStamp', null, 'ERR_CLIENT_TIMESTAMP_REQUIRED']
  ] as const) {
    t.throws(() => checkRequest({ ...request, [field]: value }), { name: 'InvalidRequestError', code })
  }
})

const unprintable = { toString: 1, valueOf: 1 }
const notText = {
  name: 'SigningError', code: 'ERR_NOT_TEXT', message: whole('Cannot convert object to primitive value')
} as const

t.test('refusals of variant A', async t => {
  const signer = new VariantA('secret')
  const request = { merchantAccountNumber: '102551', sid: 'sid-1', clientTimeStamp: 1709912345678 }

  t.throws(() => signer.sign({ ...request, sid: ' ' }), { name: 'SigningError', code: 'ERR_SID_INVALID' })
  t.throws(() => signer.sign({ ...request, orderId: unprintable }), notText)

  t.test('the token is not a property of the signer', async t => {
    const { inspect } = await import('node:util')
    t.notMatch(inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer), 'secret')
  })
})

t.test('refusals of variant B', async t => {
  const signer = new VariantB('secret')
  const request = {
    accountNumber: '102551', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
  }

  t.throws(() => signer.sign({ ...request, sid: 'sid-1' }), { name: 'SigningError', code: 'ERR_SID_INVALID' })
  for (const field of ['operationType', 'transactionFCRN', 'transactionId', 'idType']) {
    t.equal(signer.sign({ ...request, [field]: unprintable }), signer.sign(request), `${field} is not read`)
  }
})

for (const Variant of [VariantA, VariantB]) {
  t.test(`refusals of both variants, ${Variant.name}`, async t => {
    const signer = new Variant('secret')
    const request = { accountNumber: '102551', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

    for (const token of ['', undefined, null, 7, Symbol('token')]) {
      t.throws(() => new Variant(token as never), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' }, String(token))
    }
    t.test('an object that was not constructed as a signer has no token', async t => {
      t.throws(() => Object.create(Variant.prototype).signReading(signer.read({ ...request, operationType: 'void' })), { code: 'ERR_MERCHANT_TOKEN' })
    })

    for (const misuse of [undefined, null, 'text', []]) {
      t.throws(() => signer.sign(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' }, JSON.stringify(misuse))
    }

    const operation = Variant === VariantA ? { operationType: 'purchase' } : {}
    const regular = { ...request, ...operation, amount: '100.00' }
    const inquiry = { ...request, operationType: 'inquiry', idType: 'FCRN', transactionId: '987654' }
    for (const [options, refused, code, message] of [
      [{ acceptBodyToken: false }, { ...regular, merchantToken: 'its own' }, 'ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out'],
      [{ acceptBodyToken: false, strict: true }, { ...regular, merchantToken: 7, amount: '1' }, 'ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out'],
      [{ strict: true }, { ...regular, merchantToken: 'its own' }, 'ERR_STRICT', 'merchantToken must be left out: only the configured token signs'],
      [{ strict: true }, { ...regular, amount: '1' }, 'ERR_STRICT', 'amount must be 1 to 12 ASCII digits, a point and 2 digits, such as 100.00'],
      [{ strict: true }, { ...regular, accountNumber: '1' }, 'ERR_STRICT', 'accountNumber must be 6 ASCII digits'],
      [{ strict: true, accountNumberDigits: 5 }, regular, 'ERR_STRICT', 'accountNumber must be 5 ASCII digits'],
      [{ strict: true }, { ...regular, clientTimeStamp: 9999999999999 }, 'ERR_STRICT', /ahead of the service's clock; it may be at most 86400000 ms ahead$/],
      [{ strict: true, timeStampMaxAhead: 5 }, { ...regular, clientTimeStamp: 9999999999999 }, 'ERR_STRICT', /it may be at most 5 ms ahead$/],
      ...Variant === VariantA ? [[{ strict: true }, inquiry, 'ERR_STRICT', /^transactionId must not be only digits/] as const] : []
    ] as const) {
      t.test(`${JSON.stringify(options)} refuses ${JSON.stringify(refused)}, which is signed by default`, async t => {
        const guarded = new Variant('secret', options)
        t.throws(() => guarded.sign(refused), { name: 'InvalidRequestError', code, message: whole(message) })
        t.match(signer.sign(refused), /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/)
        t.throws(() => guarded.read(refused), { code }, 'as a signer of the plugin')
      })
    }

    t.test('options change no signature', async t => {
      t.equal(new Variant('secret', { acceptBodyToken: false, strict: true }).sign(regular), signer.sign(regular))
    })

    t.test('misused options', async t => {
      for (const options of [{ acceptBodyToken: 'false' }, { strict: 1 }, { stict: true }]) {
        t.throws(() => new Variant('secret', options as never), {
          name: 'UsageError',
          code: 'ERR_OPTIONS',
          message: /^acceptBodyToken and strict must be true or false; the only other options are \w+ and timeStampMaxAhead$/
        })
      }
      t.throws(() => new Variant('10.10', { strict: true }), {
        name: 'UsageError', code: 'ERR_STRICT_TOKEN', message: /^strict needs a token that has more than digits and points$/
      })
      t.doesNotThrow(() => new Variant('10.10'))
    })
  })
}
