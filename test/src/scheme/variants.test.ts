import { inspect } from 'node:util'
import t from 'tap'
import { fieldsOf, type SignatureRequest } from '../../../src/scheme/request.js'
import { hasOwnToken } from '../../../src/scheme/signer.js'
import { readerOf, signerOf, VariantA, VariantB } from '../../../src/scheme/variants.js'
import { whole } from '../../support/whole.js'

// The vectors have the signatures; vectors/refusals.json has the messages of refusals.

const uuid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const common = { merchantAccountNumber: '102551', sid: uuid, clientTimeStamp: 1709912345678 }
const purchase = { ...common, operationType: 'purchase', amount: '100.00', orderId: 'ORDER-12345' }

for (const Variant of [VariantA, VariantB]) {
  t.test(`misuse of ${Variant.name}`, async t => {
    const signer = new Variant('secret')
    const sign = (request: SignatureRequest) => signer.sign(signer.read(request))
    t.match(sign(purchase), /^[0-9a-f]{64}\/\/\/[0-9a-f]{64}$/)
    t.notMatch(inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer), 'secret')
    t.throws(() => sign({ ...purchase, sid: ' ' }), { name: 'SigningError', code: 'ERR_SID_INVALID' })
    t.throws(() => sign({ ...purchase, amount: '0' }), { name: 'InvalidRequestError', code: 'ERR_AMOUNT_NOT_POSITIVE' })
    for (const token of ['', undefined, null, 7, Symbol('token')]) {
      t.throws(() => new Variant(token as never), { name: 'UsageError', code: 'ERR_MERCHANT_TOKEN' }, String(token))
    }
    for (const misuse of [undefined, null, 'text', []]) {
      t.throws(() => sign(misuse as never), { name: 'UsageError', code: 'ERR_REQUEST' }, JSON.stringify(misuse))
    }
    const notConstructed: VariantA = Object.create(Variant.prototype)
    t.throws(() => notConstructed.sign(signer.read(purchase)), TypeError)
  })

  t.test(`a reading of ${Variant.name} is signed with the request's own token`, async t => {
    const signer = new Variant('secret')
    const reading = signer.read({ ...purchase, merchantToken: 'its own' })
    t.equal(signer.sign(reading), new Variant('its own').sign(signer.read(purchase)))
    t.strictSame([hasOwnToken(reading), hasOwnToken(signer.read(purchase))], [true, false])
    const ofOther = readerOf(signer.variant === 'A' ? 'B' : 'A').read(purchase)
    for (const wrong of [purchase, { ...reading }, JSON.parse(JSON.stringify(reading)), ofOther, 'text', undefined]) {
      t.throws(() => signer.sign(wrong as never), { name: 'UsageError', code: 'ERR_READING' })
    }
    t.notMatch(JSON.stringify(reading), 'its own')
    t.notMatch(inspect(reading), 'its own')
  })
}

t.test('the variant must be A or B', async t => {
  for (const variant of ['C', 'a', '', undefined]) {
    t.throws(() => readerOf(variant as 'A'), {
      name: 'UsageError', code: 'ERR_VARIANT', message: whole('variant must be "A" or "B"')
    })
  }
})

t.test('a reading contains nothing that is not signed, such as the token, and is signed with that token', async t => {
  const reading = readerOf('A').read({
    ...purchase, merchantToken: 'canary-token', transactionFCRN: 'canary', transactionId: 'canary', idType: 'canary', AMOUNT: 'canary'
  } as SignatureRequest)
  t.notMatch(JSON.stringify([reading, Reflect.ownKeys(reading), fieldsOf(reading)]), /canary/i)
  // printf '%s' 1709912345678ORDER-12345canary-token102551100.00 | sha256sum
  t.equal(signerOf('A', 'token').sign(reading).slice(67), '5e262ac63427dafa3b1f56a2bdf3f1514488ff786986a05b16e7ce54ab6f9601')
  // printf '%s' 1709912345678ORDER-12345token102551100.00 | sha256sum
  for (const merchantToken of [[], [null], [[]], '', null, 0, false]) {
    const reading = readerOf('A').read({ ...purchase, merchantToken })
    t.equal(signerOf('A', 'token').sign(reading).slice(67), '76945085a11951daf9c5609c2e516990646c53248ae9f14dca0c4c4a420d264d', JSON.stringify(merchantToken))
  }
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

t.test('a long operationType is not converted to lower case, which is expensive for some letters', async t => {
  const calls = t.capture(String.prototype, 'toLowerCase', String.prototype.toLowerCase)
  t.equal(readerOf('A').read({ ...purchase, operationType: 'İ'.repeat(50_000) }).operation, 'purchase')
  t.strictSame(calls().filter(({ receiver }) => String(receiver).length > 100), [])
})
