import fp from 'fastify-plugin'
import { fieldsOf } from '../../src/scheme/reading.js'
import type { Variant } from '../../src/scheme/request.js'
import { hash256 } from '../../src/scheme/signature.js'
import { refusalOf } from '../http/errors.js'
import { operationOf, outcomeOf } from './outcome.js'

export interface AuditOptions {
  /** A log line for each decision, with account, order id and amount. False if not given. */
  audit?: boolean
}

/** Long enough for any real value, and a bound on what a client can write into the log. */
const maxLength = 64

const brief = (value?: string | number): string | undefined =>
  value === undefined ? undefined : String(value).slice(0, maxLength)

/** One line for each decision: who asked for what, and what became of it. */
export default fp<AuditOptions & { variant: Variant }>(async function audit (app, { audit = false, variant }) {
  if (!audit) return

  app.addHook('onResponse', (request, reply, done) => {
    const { signingReading: reading, signingCaller: caller, id: reqId } = request
    const { orderId, amount } = reading === null ? {} : fieldsOf(reading)
    app.log.info({
      reqId, // as the request's own logger would, which would have to be made
      audit: {
        outcome: outcomeOf(request, reply),
        reason: refusalOf(request),
        caller,
        variant,
        operation: operationOf(variant, reading),
        accountNumber: brief(reading?.accountNumber),
        orderId: brief(orderId),
        amount: brief(amount),
        sidSha256: reading === null ? undefined : hash256(reading.sid)
      }
    }, 'decision')
    done()
  })
}, { name: 'audit', dependencies: ['reading'] })
