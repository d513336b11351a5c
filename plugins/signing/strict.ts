import fp from 'fastify-plugin'
import { strictRule } from '../../src/guard/strict.js'
import type { SignOptions } from '../../src/guard/guarded.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { readingOf } from './reading.js'

export type StrictOptions = Omit<SignOptions, 'acceptBodyToken'>

/** Refuses requests that do not match the strict grammar. A policy implies it: rules need unambiguous text. */
export default fp<StrictOptions & { policy?: unknown }>(async function strict (app, options) {
  const { strict = false, accountNumberDigits, timeStampMaxAhead, policy } = options
  if (!strict && policy === undefined) return
  const faultIn = strictRule(accountNumberDigits, timeStampMaxAhead, policy !== undefined)

  app.addHook('preHandler', (request, _reply, done) => {
    const fault = faultIn(readingOf(request), Date.now())
    done(fault === undefined ? undefined : new RefusedError(400, fault))
  })
}, { name: 'strict', dependencies: ['reading'] })
