import fp from 'fastify-plugin'
import type { GuardSettings } from '../../src/configuration/guard-options.js'
import { refusesAmbiguity, reportingGuards } from '../../src/configuration/report-only.js'
import type { Irregularity } from '../../src/guard/irregularities.js'
import { isStrict, strictRule } from '../../src/guard/strict.js'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { readingOf } from './request-reader.js'

/** Refuses requests that do not match the strict grammar, and duplicate fields: JSON decoders keep different values. */
export default fp<GuardSettings>(async function strictGuard (app, options) {
  if (!isStrict(options)) return
  // A policy that only reports does not refuse the voids among the inquiries.
  const isAlone = options.policy === undefined || (refusesAmbiguity(options) && reportingGuards(options).has('policy'))
  const faultIn = strictRule(options, !isAlone)

  app.addHook('preHandler', (request, _reply, done) => {
    const { duplicateField, signingIrregularities } = request
    const fault = duplicateField === undefined
      ? faultIn(readingOf(request), signingIrregularities as readonly Irregularity[], Date.now())
      : `${duplicateField} must be given only once`
    done(app.enforce('strict', request, fault === undefined ? undefined : new InvalidRequestError('ERR_STRICT', fault)))
  })
}, { name: 'strict-guard', dependencies: ['json-body', 'report-only'], fastify: '5.x' })
