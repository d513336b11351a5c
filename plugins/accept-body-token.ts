import createError from '@fastify/error'
import fp from 'fastify-plugin'
import type { SignatureRequest } from '../src/signature-request.js'

const BodyTokenError = createError('ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out', 400)

/** With ACCEPT_BODY_TOKEN=false a request cannot bring a token of its own. */
export default fp(async function acceptBodyToken (app) {
  if (app.config.ACCEPT_BODY_TOKEN) return

  app.addHook('preHandler', (request, _reply, done) => {
    const { merchantToken } = request.body as SignatureRequest
    if (merchantToken) done(new BodyTokenError())
    else done()
  })
}, { name: 'accept-body-token', dependencies: ['env'] })
