// authorize.mjs
import { orderOf, userOf } from './shop.mjs' // your log-in and your orders

/**
 * Decides after key, policy and rate. The values of `request` are the texts that will be signed. `auditAs` is in the
 * audit. A member `context` is what your framework passes to the handler beside the request.
 */
export async function authorize ({ request, caller, headers }) {
  if (caller !== 'anonymous') return true // has a key: the policy says what it may do
  const auditAs = userOf(headers.cookie)
  if (auditAs === undefined) return { allowed: false, statusCode: 401, code: 'LOG_IN', error: 'Log in first' }
  const order = await orderOf(request.orderId)
  const isExpected = request.operationType === 'purchase' && order?.user === auditAs &&
    request.merchantAccountNumber === order.accountNumber && request.amount === (order.cents / 100).toFixed(2)
  if (!isExpected) return { allowed: false, auditAs, code: 'NOT_YOUR_ORDER', error: 'Not your order' }
  if (order.isPaid) return { allowed: false, auditAs, statusCode: 409, code: 'ALREADY_PAID', error: 'Already paid' }
  return { allowed: true, auditAs }
}
