import t from 'tap'
import { signedRequest } from '../../client/signed-request.js'

const signature = `${'1'.repeat(64)}///${'2'.repeat(64)}`
const made = { sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678 }

/** Notes each call, as a text. */
class Builder {
  readonly calls: string[] = []
  setSignature (value: string) { this.calls.push(`setSignature ${value.slice(0, 3)}`) }
  setSid (value: string) { this.calls.push(`setSid ${value}`) }
  setClientTimeStamp (value: number) { this.calls.push(`setClientTimeStamp ${JSON.stringify(value)}`) }
}

class FullBuilder extends Builder {
  setAmount (value: string) { this.calls.push(`setAmount ${JSON.stringify(value)}`) }
  setOrderId (value: string) { this.calls.push(`setOrderId ${JSON.stringify(value)}`) }
}

const always = ['setSignature 111', 'setSid 5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', 'setClientTimeStamp 1709912345678']

for (const [what, fields, calls] of [
  ['a purchase', { operationType: 'purchase', amount: '100.00', orderId: 'O-1' }, ['setAmount "100.00"', 'setOrderId "O-1"']],
  ['no operation', { amount: '100.00', orderId: 'O-1' }, ['setAmount "100.00"', 'setOrderId "O-1"']],
  ['a refund', { operationType: 'refund', amount: '5.50', transactionFCRN: '1' }, ['setAmount "5.50"']],
  ['an empty amount', { amount: '' }, ['setAmount ""']],
  ['an undefined amount', { amount: undefined, orderId: undefined }, []],
  ['a void, which signs no amount', { operationType: 'Void', amount: '100.00', orderId: 'O-1' }, ['setOrderId "O-1"']],
  ['an inquiry, which signs neither', { operationType: 'INQUIRY', amount: '100.00', orderId: 'O-1', transactionId: 'T' }, []],
  ['an unknown operation, which is a purchase', { operationType: 'voided', amount: '1.00' }, ['setAmount "1.00"']]
] as const) {
  t.test(what, async t => {
    const signed = signedRequest({ ...fields, ...made }, signature)
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
  t.throws(() => { signed.amount = '1.00' }, TypeError)
})
