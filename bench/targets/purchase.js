import { hash } from 'node:crypto'

const token = process.env.MERCHANT_TOKEN

/**
 * The signature of a purchase whose fields are all there: two hashes, and no rule of the specification.
 *
 * @param {any} purchase
 */
export function signPurchase ({ clientTimeStamp, sid, amount, orderId, merchantAccountNumber }) {
  const part1 = hash('sha256', `${clientTimeStamp}${sid}${amount}`, 'hex')
  const part2 = hash('sha256', `${clientTimeStamp}${orderId}${token}${merchantAccountNumber}${amount}`, 'hex')
  return `${part1}///${part2}`
}
