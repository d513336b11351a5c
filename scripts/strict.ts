import { parseArgs } from 'node:util'
import { strictTokenFault } from '../src/guard/strict.js'
import type { Variant } from '../src/scheme/variants.js'
import { breachesAmong, checkPromise, correlationIdsOf, requestsOf, textsOver } from '../test/support/payment-side.js'
import type { Alphabets } from '../test/support/payment-side.js'

// Checks the promise of docs/strict.md on more requests than the test suite does.

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000000' } } })
const runs = Number(values.runs)
if (!(runs >= 1)) throw new Error('--runs takes a number above 0')

const digits = ['0', '1']
const correlationIds = correlationIdsOf([...digits, 'a', 'A'])
const texts: Alphabets = {
  orderIds: [
    ...textsOver([...digits, '.', 'a'], 3), '0.00', '1.00', '0.000', '00.00a', 'null', 'nul',
    ...correlationIdsOf(['0']), 'nulla000000000-0000-0000-0000-000000'
  ],
  amounts: ['', ...textsOver(digits, 2).flatMap(whole => ['00', '01', '10', '11'].map(cents => `${whole}.${cents}`))],
  transactionFCRNs: ['', ...textsOver(digits, 3), '1000', ...correlationIdsOf(['0'])],
  transactionIds: ['', ...textsOver([...digits, '.', 'a'], 6), ...correlationIds, ...correlationIds.map(id => id.replaceAll('-', ''))],
  accountNumbers: digits
}
const tokens = [
  ...textsOver([...digits, '.', 'a'], 3),
  'null', 'lnul', 'nullnull', 'a0a0', '0a0a', 'a.0a.0', '0.00a', '-', 'a-', '0-0-', 'é0é', '\ud83d\ude00'
].filter(token => strictTokenFault(token) === undefined)

for (const variant of ['A', 'B'] satisfies Variant[]) {
  const say = (text: string) => process.stdout.write(`variant ${variant}: ${text}\n`)
  const { length } = [...requestsOf(variant, texts)]
  const [breach] = breachesAmong(variant, texts, tokens)
  if (breach !== undefined) throw new Error(`variant ${variant}: a breach: ${JSON.stringify(breach)}`)
  say(`${length} requests with ${tokens.length} tokens, cut in every way: 0 breaches`)
  say(`${runs} random requests, ${checkPromise(variant, runs)} of them signed: 0 breaches`)
}
