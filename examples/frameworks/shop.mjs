// Stands for your log-in and your orders: replace it. Only with SHOP=demo does anybody have a session.
const sessions = new Map(process.env.SHOP === 'demo' ? [['demo', 'shopper-1'], ['other', 'shopper-2']] : [])
const orders = new Map([
  ['ORDER-12345', { user: 'shopper-1', accountNumber: '102551', cents: 10000, isPaid: false }]
])

/** Returns the user of a session's cookie, or undefined. */
export const userOf = cookie => sessions.get(/(?:^|; )session=([^;]*)/.exec(cookie ?? '')?.[1])

/** Returns an order, or undefined. */
export const orderOf = async id => orders.get(id)
