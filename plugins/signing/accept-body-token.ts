import fp from 'fastify-plugin'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { hasOwnToken } from '../../src/scheme/reading.js'
import type { GuardSettings } from './guard-options.js'
import { readingOf } from './request-reader.js'

/** Refuses requests with their own `merchantToken` if the option `acceptBodyToken` is false. */
export default fp<GuardSettings>(async function acceptBodyToken (app, { acceptBodyToken }) {
  if (acceptBodyToken) return

  app.addHook('preHandler', (request, _reply, done) => {
    done(hasOwnToken(readingOf(request)) ? new InvalidRequestError('ERR_BODY_TOKEN') : undefined)
  })
}, { name: 'accept-body-token', dependencies: ['request-reader'] })
