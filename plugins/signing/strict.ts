import createError from '@fastify/error'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import fp from 'fastify-plugin'
import type { SignatureRequest } from '../../src/scheme/signature-request.js'
import { strictGrammar } from '../../src/guard/strict.js'
import type { Variant } from '../../src/scheme/variant.js'

const NotStrictError = createError('ERR_NOT_STRICT', '%s', 400)

/** A hook that refuses what does not match the strict grammar; `digits` is the length of an account number. */
export function refuseAmbiguous (variant: Variant, digits: number) {
  const faultIn = strictGrammar(variant, digits)
  return function strict (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const fault = faultIn(request.body as SignatureRequest)
    if (fault === undefined) done()
    else done(new NotStrictError(fault))
  }
}

/** Refuses what does not match the strict grammar. A policy implies it: over ambiguous text it would be a lie. */
export default fp(async function strict (app) {
  if (!app.config.STRICT && app.config.POLICY_FILE === '') return
  app.addHook('preHandler', refuseAmbiguous(app.signer.variant, app.config.ACCOUNT_NUMBER_DIGITS))
}, { name: 'strict', dependencies: ['env', 'signer'] })
