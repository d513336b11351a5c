// A shop on Express with the route of examples/may-sign beside it. Listens on PORT.
import express from 'express'
import session from 'express-session'
import { maySign } from './may-sign.mjs'

const orders = new Map([['1001', [7, false]], ['1002', [8, false]], ['1003', [7, true]], ['1004', [null, false]]])

async function orderById (id) {
  if (id === '666' || !(Number(id) < 2 ** 31)) throw new Error('an error of the database')
  const [userId, isPaid] = orders.get(id) ?? []
  return isPaid === undefined ? undefined : { id: Number(id), userId, cents: 10000, isPaid }
}

const app = express()
app.use(session({ secret: 'of a test', resave: false, saveUninitialized: false }))
maySign(app, orderById)
app.get('/log-in', (request, response) => {
  request.session.userId = Number(request.query.user ?? 7)
  response.end()
})
app.listen(Number(process.env.PORT), '127.0.0.1')
