// The route that the signing service asks, for Express 4 and 5: maySign(app, orderById). Call it after the session and
// before CSRF protection and rate limits: each question comes from 127.0.0.1. orderById(text) returns
// { id, userId, cents, isPaid }, nothing, or a promise of these.
import express from 'express'

const accountNumber = '102551' // yours
const idForm = /^[1-9][0-9]{0,8}$/ // yours: the ids that the database accepts

export function maySign (app, orderById) {
  app.post('/may-sign', express.json(), async (request, response, next) => {
    const refuse = (status, code) => response.status(status).json({ allowed: false, code })
    try {
      const { caller, operationType = 'purchase', orderId = '', amount, merchantAccountNumber } = request.body
      const { userId } = request.session // yours: null or undefined before the log-in
      if (caller !== 'anonymous') return response.json({ allowed: true }) // has an API key: the policy decides
      const order = idForm.test(orderId) ? await orderById(orderId) : null // strangers, too: the alert sees an outage
      if (userId == null) return refuse(401, 'LOG_IN')
      const isExpected = operationType === 'purchase' && order != null && String(order.id) === orderId &&
        order.userId != null && String(order.userId) === String(userId) &&
        merchantAccountNumber === accountNumber && amount === (order.cents / 100).toFixed(2)
      if (!isExpected) return refuse(403, 'NOT_YOUR_ORDER')
      return order.isPaid ? refuse(409, 'ALREADY_PAID') : response.json({ allowed: true })
    } catch (error) {
      next(error) // Express 4 does not catch a rejection
    }
  })
}
