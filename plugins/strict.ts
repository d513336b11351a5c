import createError from '@fastify/error'
import fp from 'fastify-plugin'
import type { SignatureRequest } from '../src/signature-request.js'
import { strictGrammar } from '../src/strict.js'

const NotStrictError = createError('ERR_NOT_STRICT', '%s', 400)

/** Refuses what does not match the strict grammar. A policy implies it: over ambiguous text it would be a lie. */
export default fp(async function strict (app) {
  if (!app.config.STRICT && app.config.POLICY_FILE === '') return
  const faultIn = strictGrammar(app.signer.variant, app.config.ACCOUNT_NUMBER_DIGITS)

  app.addHook('preHandler', (request, _reply, done) => {
    const fault = faultIn(request.body as SignatureRequest)
    if (fault === undefined) done()
    else done(new NotStrictError(fault))
  })
}, { name: 'strict', dependencies: ['env', 'signer'] })
