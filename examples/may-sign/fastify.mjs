// The route that the signing service asks, for Fastify with @fastify/session: app.register(maySign, { orderById }),
// below the session. orderById(text) returns { id, userId, cents, isPaid }, nothing, or a promise of these.
// Keep rate limits and CSRF protection away from it: each question comes from 127.0.0.1.
const accountNumber = '102551' // yours
const idForm = /^[1-9][0-9]{0,8}$/ // yours: the ids that the database accepts

export async function maySign (app, { orderById }) {
  app.post('/may-sign', async (request, reply) => {
    const refuse = (status, code) => reply.code(status).send({ allowed: false, code })
    const { caller, operationType = 'purchase', orderId = '', amount, merchantAccountNumber } = request.body
    const { userId } = request.session // yours: null or undefined before the log-in
    if (caller !== 'anonymous') return { allowed: true } // has an API key: the policy decides
    const order = idForm.test(orderId) ? await orderById(orderId) : null // strangers, too: the alert sees an outage
    if (userId == null) return refuse(401, 'LOG_IN')
    const isExpected = operationType === 'purchase' && order != null && String(order.id) === orderId &&
      order.userId != null && String(order.userId) === String(userId) &&
      merchantAccountNumber === accountNumber && amount === (order.cents / 100).toFixed(2)
    if (!isExpected) return refuse(403, 'NOT_YOUR_ORDER')
    return order.isPaid ? refuse(409, 'ALREADY_PAID') : { allowed: true }
  })
}
