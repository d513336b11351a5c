import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { newSid } from '../../client/sid.js'
import { signedRequest } from '../../client/signed-request.js'
import { root } from '../support/server.js'

const signature = `${'1'.repeat(64)}///${'2'.repeat(64)}`
const made = { sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** Records each call as text. */
class Builder {
  readonly calls: string[] = []
  setSignature (value: string) { this.calls.push(`setSignature ${value.slice(0, 3)}`) }
  setSid (value: string) { this.calls.push(`setSid ${value}`) }
  setClientTimeStamp (value: number) { this.calls.push(`setClientTimeStamp ${JSON.stringify(value)}`) }
}

class FullBuilder extends Builder {
  setMerchantAccountNumber (value: string) { this.calls.push(`setMerchantAccountNumber ${value}`) }
  setAmount (value: string) { this.calls.push(`setAmount ${JSON.stringify(value)}`) }
  setOrderId (value: string) { this.calls.push(`setOrderId ${value}`) }
  setTransactionFCRN (value: string) { this.calls.push(`setTransactionFCRN ${value}`) }
  setTransactionId (value: string) { this.calls.push(`setTransactionId ${value}`) }
  setIdType (value: string) { this.calls.push(`setIdType ${value}`) }
}

const always = ['setSignature 111', 'setSid 5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', 'setClientTimeStamp 1709912345678']
const all = { amount: '100.00', orderId: 'O-1', transactionFCRN: 'F', transactionId: 'T', idType: 'ORDER_ID' }

for (const [what, variant, fields, calls] of [
  ['a purchase', 'A', { ...all, operationType: 'purchase' }, ['setAmount "100.00"', 'setOrderId O-1']],
  ['no operation', undefined, all, ['setAmount "100.00"', 'setOrderId O-1']],
  ['a refund', 'A', { ...all, operationType: 'refund' }, ['setAmount "100.00"', 'setOrderId O-1', 'setTransactionFCRN F']],
  ['an empty amount', 'A', { amount: '' }, ['setAmount ""']],
  ['an undefined amount', 'A', { amount: undefined, orderId: undefined }, []],
  ['a void', undefined, { ...all, operationType: 'Void' }, ['setOrderId O-1', 'setTransactionFCRN F']],
  ['an inquiry', 'A', { ...all, operationType: 'INQUIRY' }, ['setTransactionId T', 'setIdType ORDER_ID']],
  ['an account number', 'A', { accountNumber: '1', amount: '1.00' }, ['setMerchantAccountNumber 1', 'setAmount "1.00"']],
  ['two account numbers', 'A', { merchantAccountNumber: '2', accountNumber: '1' }, ['setMerchantAccountNumber 2']],
  ['variant B signs the amount of a void', 'B', { ...all, operationType: 'void' }, ['setAmount "100.00"', 'setOrderId O-1']]
] as const) {
  t.test(what, async t => {
    const signed = signedRequest({ ...fields, ...made }, signature, variant)
    const builder = new FullBuilder()
    t.equal(signed.applyTo(builder), builder)
    t.strictSame(builder.calls, [...always, ...calls])
  })
}

t.test('a builder without the optional setters', async t => {
  const builder = new Builder()
  signedRequest({ amount: '100.00', orderId: 'O-1', ...made }, signature).applyTo(builder)
  t.strictSame(builder.calls, always)
})

t.test('it has all that was signed, for good', async t => {
  const signed = signedRequest({ amount: '100.00', merchantAccountNumber: '102551', ...made }, signature)
  const { applyTo, ...values } = signed
  t.strictSame(values, {
    amount: '100.00',
    merchantAccountNumber: '102551',
    sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
    clientTimeStamp: 1709912345678,
    signature
  })
  t.throws(() => { Object.assign(signed, { amount: '1.00' }) }, TypeError)
})

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

t.test('a sid is a UUID version 4', async t => {
  t.match(newSid(), uuidV4)
  t.not(newSid(), newSid())
})

t.test('so it is where randomUUID is missing', async t => {
  const { crypto } = globalThis
  let getRandomValues = crypto.getRandomValues.bind(crypto)
  t.intercept(globalThis, 'crypto', { get: () => ({ getRandomValues }) })

  for (let i = 0; i < 1000; i++) if (!uuidV4.test(newSid())) t.fail('not a UUID version 4')
  t.not(newSid(), newSid())

  for (const [bytes, sid] of [
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], '00010203-0405-4607-8809-0a0b0c0d0e0f'],
    [Array(16).fill(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [[...Array(8).fill(0), 0x12, ...Array(7).fill(0)], '00000000-0000-4000-9200-000000000000']
  ] as const) {
    getRandomValues = array => {
      (array as unknown as Uint8Array).set(bytes)
      return array
    }
    t.equal(newSid(), sid)
  }
})

const built = join(root, 'dist/client')
const names = ['SignatureRequestError', 'requestSignature']

t.test('the classic script is under 5 kB, 2.5 kB gzipped, and defines one global', async t => {
  const script = readFileSync(join(built, 'payment-signature.global.js'))
  t.ok(script.length < 5000, `${script.length} bytes`)
  t.ok(gzipSync(script).length < 2500, `${gzipSync(script).length} bytes`)
  const page = createContext({})
  runInContext(script.toString(), page)
  t.strictSame(Object.keys(page), ['PaymentSignature'])
  t.strictSame(Object.keys(page.PaymentSignature).sort(), names)
})

t.test('the module is one file with the same exports, and has types', async t => {
  const module = readFileSync(join(built, 'index.js'), 'utf8')
  t.notMatch(module, /\bimport\b/)
  const [, exports = ''] = /export \{([^}]+)\}/.exec(module) ?? []
  t.strictSame(exports.split(',').map(name => name.trim()).sort(), names)
  t.match(readFileSync(join(built, 'index.d.ts'), 'utf8'), 'requestSignature')
})
