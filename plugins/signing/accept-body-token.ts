import createError from '@fastify/error'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import fp from 'fastify-plugin'
import type { SignatureRequest } from '../../src/scheme/signature-request.js'

const BodyTokenError = createError('ERR_BODY_TOKEN', 'merchantToken is not accepted: leave it out', 400)

/** A hook that refuses a request with a token of its own. */
export function refuseBodyToken (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { merchantToken } = request.body as SignatureRequest
  if (merchantToken) done(new BodyTokenError())
  else done()
}

/** With ACCEPT_BODY_TOKEN=false a request cannot bring a token of its own. */
export default fp(async function acceptBodyToken (app) {
  if (!app.config.ACCEPT_BODY_TOKEN) app.addHook('preHandler', refuseBodyToken)
}, { name: 'accept-body-token', dependencies: ['env'] })
