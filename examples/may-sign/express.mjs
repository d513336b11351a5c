// The route that the signing service asks, for Express 4 and 5: maySign(app, orderById). Call it after the session and
// before CSRF protection. orderById(text) returns { id, userId, cents, isPaid }, nothing, or a promise of these.
import express from 'express'

const accountNumber = '102551' // yours

export function maySign (app, orderById) {
  app.post('/may-sign', express.json(), async (request, response, next) => {
    const refuse = (status, code) => response.status(status).json({ allowed: false, code })
    try {
      const { caller, operationType, orderId = '', amount, merchantAccountNumber } = request.body
      const { userId } = request.session // yours: null or undefined before the log-in
      if (caller !== 'anonymous') return response.status(204).end() // has an API key: the policy decides
      const order = await orderById(orderId) // for strangers, too: so the alert sees an outage of the database
      if (userId == null) return refuse(401, 'LOG_IN')
      const isExpected = operationType === 'purchase' && order != null && String(order.id) === orderId &&
        order.userId != null && String(order.userId) === String(userId) &&
        merchantAccountNumber === accountNumber && amount === (order.cents / 100).toFixed(2)
      if (!isExpected) return refuse(403, 'NOT_YOUR_ORDER')
      return order.isPaid ? refuse(409, 'ALREADY_PAID') : response.status(204).end()
    } catch (error) {
      next(error)
    }
  })
}
