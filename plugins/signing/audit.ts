import fp from 'fastify-plugin'
import { operationIn } from '../../src/scheme/operation.js'
import { outcomeOf } from './outcome.js'
import { hash256 } from '../../src/scheme/signature.js'
import type { SignatureRequest } from '../../src/scheme/signature-request.js'

/** Long enough for any real value, and a bound on what a client can write into the log. */
const longest = 64

/** A value as the log has it: text and numbers, cut off; nothing else that a client may have sent. */
function brief (value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, longest) : undefined
}

/** With AUDIT=true, one line for each decision: who asked for what, and what became of it. */
export default fp(async function audit (app) {
  if (!app.config.AUDIT) return

  app.addHook('onResponse', (request, reply, done) => {
    const { merchantAccountNumber, accountNumber, orderId, amount, sid } =
      (request.body ?? {}) as Partial<SignatureRequest>
    app.log.info({
      reqId: request.id, // as the request's own logger would, which would have to be made
      audit: {
        outcome: outcomeOf(reply.statusCode),
        reason: request.refusal || undefined,
        caller: request.caller,
        variant: app.signer.variant,
        operation: operationIn(app.signer.variant, request.body),
        accountNumber: brief(merchantAccountNumber || accountNumber),
        orderId: brief(orderId),
        amount: brief(amount),
        sidSha256: typeof sid === 'string' ? hash256(sid) : undefined
      }
    }, 'decision')
    done()
  })
}, { name: 'audit', dependencies: ['env', 'errors', 'request-caller', 'signer'] })
