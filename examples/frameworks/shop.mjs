// shop.mjs
// Stands for your log-in and your orders, so that the examples run. Replace this file.
if (process.env.NODE_ENV === 'production') throw new Error('shop.mjs is an example: replace it by your log-in and orders')

const sessions = new Map([['demo', 'shopper-1'], ['other', 'shopper-2']])
const orders = new Map([
  ['ORDER-12345', { user: 'shopper-1', accountNumber: '102551', cents: 10000, isPaid: false }]
])

/** Returns the user of a session's cookie, or undefined. */
export const userOf = cookie => sessions.get(/(?:^|; )session=([^;]*)/.exec(cookie ?? '')?.[1])

/** Returns an order, or undefined. */
export const orderOf = async id => orders.get(id)
