import { strictTokenFault } from '../../src/guard/strict.js'
import type { Variant } from '../../src/scheme/variants.js'
import {
  breachesAmong, breachesBetween, checkPromise, checkPromiseBetween, correlationIdsOf, fitTogether, requestsOf,
  textsOver
} from '../support/payment-side.js'
import type { Alphabets } from '../support/payment-side.js'
import type { Part } from './part.js'

/** Returns every text over an alphabet, up to some lengths. The short form has few of them. */
function alphabets (short: boolean): Alphabets {
  const digits = ['0', '1']
  const correlationIds = correlationIdsOf(short ? digits : [...digits, 'a', 'A'])
  return {
    orderIds: [
      ...textsOver([...digits, '.', 'a'], short ? 1 : 3), '0.00', '1.00', '0.000', '00.00a', 'null', 'nul',
      ...correlationIdsOf(['0']), 'nulla000000000-0000-0000-0000-000000'
    ],
    amounts: ['', ...textsOver(digits, short ? 1 : 2).flatMap(whole => ['00', '01', '10', '11'].map(cents => `${whole}.${cents}`))],
    transactionFCRNs: ['', ...textsOver(digits, short ? 1 : 3), '1000', ...correlationIdsOf(['0'])],
    transactionIds: [
      '', ...textsOver([...digits, '.', 'a'], short ? 2 : 6), ...correlationIds, ...correlationIds.map(id => id.replaceAll('-', ''))
    ],
    accountNumbers: digits
  }
}

export const strict: Part = {
  name: 'strict',
  shows: 'With strict fields, no signature serves for an operation that the policy does not allow, if the payment side ' +
    'works as strict fields assume. With two merchants, no signature of one serves for the other, unless the request ' +
    'contains more than half of the other\'s token, or a whole period of it.',
  async run ({ seed, short, note }) {
    const texts = alphabets(short)
    const runs = short ? 1000 : 1_000_000
    const tokens = [
      ...textsOver(['0', '1', '.', 'a'], short ? 1 : 3),
      'null', 'lnul', 'nullnull', 'a0a0', '0a0a', 'a.0a.0', '0.00a', '-', 'a-', '0-0-', 'é0é', '\ud83d\ude00'
    ].filter(token => strictTokenFault(token) === undefined)
    const pairs: Array<[token: string, other: string]> = []
    for (const token of tokens) {
      for (const other of tokens) if (await fitTogether(token, other)) pairs.push([token, other])
    }
    let enumerated = 0
    let signedBetween = 0
    let signed = 0
    for (const variant of ['A', 'B'] satisfies Variant[]) {
      const [breach] = breachesAmong(variant, texts, tokens)
      if (breach !== undefined) return { passed: false, figures: { breaches: 1 }, details: `\`${JSON.stringify(breach)}\`` }
      enumerated += [...requestsOf(variant, texts)].length
      note(`variant ${variant}: ${enumerated} requests enumerated`)
      signed += checkPromise(variant, runs, seed)
      const [between] = breachesBetween(variant, alphabets(true), pairs)
      if (between !== undefined) return { passed: false, figures: { breaches: 1 }, details: `\`${JSON.stringify(between)}\`` }
      signedBetween += await checkPromiseBetween(variant, runs, seed)
      note(`variant ${variant}: no breach between two merchants`)
    }
    return {
      passed: true,
      figures: {
        'requests enumerated': enumerated,
        tokens: tokens.length,
        'random requests': 2 * runs,
        'signed of them': signed,
        'pairs of tokens': pairs.length,
        'random requests beside another merchant': signedBetween,
        breaches: 0
      }
    }
  }
}
