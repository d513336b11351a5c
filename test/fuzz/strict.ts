import type { Variant } from '../../src/scheme/variants.js'
import {
  breachesAmong, breachesBetween, checkPromise, checkPromiseBetween, correlationIdsOf, fitTogether, isStrictToken,
  requestsOf, textsOver
} from '../support/payment-side.js'
import type { Alphabets } from '../support/payment-side.js'
import type { Fuzzer } from './run.js'

/** Returns every text over an alphabet, up to some lengths. */
function alphabets (isLong: boolean): Alphabets {
  const digits = ['0', '1']
  const correlationIds = correlationIdsOf(isLong ? [...digits, 'a'] : digits)
  return {
    orderIds: [
      ...textsOver([...digits, '.', 'a'], isLong ? 2 : 1), '0.00', '1.00', '0.000', '00.00a', 'null', 'nul',
      ...correlationIdsOf(['0']), 'nulla000000000-0000-0000-0000-000000'
    ],
    amounts: ['', ...textsOver(digits, isLong ? 2 : 1).flatMap(whole => ['00', '01', '10', '11'].map(cents => `${whole}.${cents}`))],
    transactionFCRNs: ['', ...textsOver(digits, isLong ? 2 : 1), '1000', ...correlationIdsOf(['0'])],
    transactionIds: [
      '', ...textsOver([...digits, '.', 'a'], isLong ? 4 : 2), ...correlationIds, ...correlationIds.map(id => id.replaceAll('-', ''))
    ],
    accountNumbers: digits
  }
}

const tokens = [
  ...textsOver(['0', '1', '.', 'a'], 2),
  'null', 'lnul', 'nullnull', 'a0a0', '0a0a', 'a.0a.0', '0.00a', '-', 'a-', '0-0-', 'é0é', '\ud83d\ude00'
].filter(token => isStrictToken(token))

/**
 * With strict fields, no signature serves for an operation that the policy does not allow, if the payment side works as
 * strict fields assume. With two merchants, no signature of one serves for the other, with two exceptions: the request
 * contains a part of the other's token, or one token is in the middle of the other, or of `null` and the other. A file
 * of merchants refuses tokens that begin or end with another, and does not search for tokens in the middle; random
 * tokens are never inside each other. Tries every request of a few texts, then random ones.
 */
export const strict: Fuzzer = async (_t, { seed, end, print }) => {
  const pairs: Array<[token: string, other: string]> = []
  for (const token of tokens) {
    for (const other of tokens) if (fitTogether(token, other)) pairs.push([token, other])
  }
  const variants = ['A', 'B'] satisfies Variant[]
  for (const variant of variants) {
    const texts = alphabets(true)
    const [breach] = breachesAmong(variant, texts, tokens)
    const [between] = breachesBetween(variant, alphabets(false), pairs)
    const faults = [breach, between].filter(fault => fault !== undefined)
    if (faults.length > 0) return faults.map(fault => JSON.stringify(fault))
    print(`variant ${variant}: each of ${[...requestsOf(variant, texts)].length} requests with ${tokens.length} tokens, no breach`)
  }
  let [requests, signed] = [0, 0]
  try {
    for (let batch = 0; performance.now() < end; batch++) {
      for (const variant of variants) {
        signed += checkPromise(variant, 1000, seed + batch)
        signed += checkPromiseBetween(variant, 1000, seed + batch)
        requests += 2000
      }
    }
  } catch (error) {
    return [(error as Error).message]
  }
  print(`${requests} random requests, ${signed} signed, no breach`)
  return []
}
