import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { alsoSignedLike } from '../../src/guard/strict.js'
import { fieldsOf } from '../../src/scheme/reading.js'
import type { Reading } from '../../src/scheme/reading.js'
import type { Variant } from '../../src/scheme/request.js'
import { hash256 } from '../../src/scheme/signature.js'
import { isRepeatedRefusal, refusalOf } from '../http/errors.js'
import { traceFieldsOf } from '../http/trace-context.js'
import { operationOf, outcomeOf } from './outcome.js'

/** Who asked for what, and what becomes of it. The terms are those that are signed, under their fields' names. */
export interface Decision {
  /** The request's id in the log. */
  readonly reqId: string
  /** The trace that the request belongs to. */
  readonly trace_id?: string
  readonly audit: Readonly<Record<string, unknown>>
}

export interface AuditOptions {
  /**
   * Records each decision before its response is sent: `true` in the app's log, a function wherever it likes. It is
   * waited for, and must not take long. False if not given.
   */
  audit?: boolean | ((decision: Decision) => unknown)
  /** Whether the response is 503 instead of a signature if the function throws or rejects; false if not given. */
  auditRequired?: boolean
}

/** Longer ones are cut off, with their digest: it bounds what a client can write. In UTF-16 code units. */
const maxLength = 256

function brief (value: string | number | undefined): string | undefined {
  const text = value?.toString()
  if (text === undefined || text.length <= maxLength) return text
  return `${text.slice(0, maxLength).toWellFormed()}… (${text.length} characters, SHA-256 ${hash256(text)})`
}

/** All that is signed but the token. Of the session id its digest is enough to find a payment. */
function termsOf (reading: Reading): Record<string, unknown> {
  const fields = fieldsOf(reading)
  const isOwn = reading.irregularities.some(({ kind }) => kind === 'own-token')
  return {
    accountNumber: brief(fields.merchantAccountNumber),
    amount: brief(fields.amount),
    orderId: brief(fields.orderId),
    transactionFCRN: brief(fields.transactionFCRN),
    transactionId: brief(fields.transactionId),
    idType: brief(fields.idType),
    alsoSignedLike: alsoSignedLike(reading),
    clientTimeStamp: brief(fields.clientTimeStamp),
    sidSha256: hash256(reading.sid),
    merchantToken: isOwn ? 'of the request' : undefined
  }
}

function decisionOn (request: FastifyRequest, reply: FastifyReply, variant: Variant): Decision {
  const { signingReading: reading, signingCaller: caller, ip: clientAddress, id: reqId } = request
  return {
    reqId,
    ...traceFieldsOf(request),
    audit: {
      outcome: outcomeOf(request, reply),
      reason: refusalOf(request),
      caller,
      clientAddress,
      variant,
      operation: operationOf(variant, reading),
      ...reading !== null && termsOf(reading)
    }
  }
}

/** Records each decision, before the client learns of it. */
export default fp<AuditOptions & { variant: Variant }>(async function audit (app, options) {
  const { audit = false, auditRequired = false, variant } = options
  if (audit === false) return
  const record = audit === true ? (decision: Decision) => app.log.info(decision, 'decision') : audit

  const waiting = new WeakSet<FastifyReply>()

  app.addHook('onSend', (request, reply, payload, done) => {
    if (waiting.has(reply)) return // of a hook that responded and went on all the same: its first response stands
    if (isRepeatedRefusal(request)) return done(null, payload) // the log has a count

    function respond (isRecorded: boolean): void {
      waiting.delete(reply)
      if (isRecorded || !auditRequired || reply.statusCode !== 200) return done(null, payload)
      reply.code(503)
      done(null, JSON.stringify({ error: 'Audit is unavailable, try again' }))
    }

    let recorded: unknown
    try {
      recorded = record(decisionOn(request, reply, variant))
    } catch {
      return respond(false)
    }
    if (!(recorded instanceof Promise)) return respond(true)
    waiting.add(reply)
    recorded.then(() => respond(true), () => respond(false))
  })
}, { name: 'audit', dependencies: ['reading'] })
