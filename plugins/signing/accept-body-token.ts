import fp from 'fastify-plugin'
import { RefusedError } from '../../src/service/refused-error.js'
import { readingOf } from './reading.js'

export interface AcceptBodyTokenOptions {
  /** False refuses requests with a `merchantToken` of their own. True if not given, as the specification has it. */
  acceptBodyToken?: boolean
}

/** Whether a request can bring a token of its own. */
export default fp<AcceptBodyTokenOptions>(async function acceptBodyToken (app, { acceptBodyToken = true }) {
  if (acceptBodyToken) return

  app.addHook('preHandler', (request, _reply, done) => {
    const bringsToken = readingOf(request).irregularities.some(({ kind }) => kind === 'own-token')
    done(bringsToken ? new RefusedError(400, 'merchantToken is not accepted: leave it out') : undefined)
  })
}, { name: 'accept-body-token', dependencies: ['reading'] })
