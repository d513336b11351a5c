import fp from 'fastify-plugin'
import { strictGrammar } from '../../src/guard/strict.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { readingOf } from './reading.js'

export interface StrictOptions {
  /** Refuse what could be read as another request; `docs/strict.md` says what that is. False if not given. */
  strict?: boolean
  /** The length of an account number under `strict`; 6 if not given. */
  accountNumberDigits?: number
  /** How far a time stamp may be ahead of the clock under `strict`, in milliseconds; 86400000, a day, if not given. */
  timeStampMaxAhead?: number
}

/** Refuses what does not match the strict grammar. A policy implies it: a rule about ambiguous text means nothing. */
export default fp<StrictOptions & { policy?: unknown }>(async function strict (app, options) {
  const { strict = false, accountNumberDigits = 6, timeStampMaxAhead = 86_400_000, policy } = options
  if (!strict && policy === undefined) return
  const faultIn = strictGrammar(accountNumberDigits, timeStampMaxAhead)

  app.addHook('preHandler', (request, _reply, done) => {
    const fault = faultIn(readingOf(request), Date.now())
    done(fault === undefined ? undefined : new RefusedError(400, fault))
  })
}, { name: 'strict', dependencies: ['reading'] })
