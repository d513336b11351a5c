// authorize.mjs
import { orderOf, userOf } from './shop.mjs' // your log-in and your orders

/** Returns your data about a request: `authorize` gets it, and `auditAs` stands in the audit. */
export function context (request) {
  const user = userOf(request.headers.get('cookie'))
  return { user, auditAs: user }
}

/** Decides after key, policy and rate. The values of `request` are the texts that will be signed. */
export async function authorize ({ request, caller, context }) {
  if (caller !== 'anonymous') return true // has a key: the policy says what it may do
  if (context.user === undefined) return { statusCode: 401, code: 'LOG_IN', error: 'Log in first' }
  const order = await orderOf(request.orderId)
  const isExpected = request.operationType === 'purchase' && order?.user === context.user &&
    request.merchantAccountNumber === order.accountNumber && request.amount === (order.cents / 100).toFixed(2)
  if (!isExpected) return { statusCode: 403, code: 'NOT_YOUR_ORDER', error: 'Not your order' }
  return order.isPaid ? { statusCode: 409, code: 'ALREADY_PAID', error: 'Already paid' } : true
}
