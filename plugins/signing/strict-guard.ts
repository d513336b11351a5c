import fp from 'fastify-plugin'
import { duplicateKeys } from '../../src/guard/duplicate-keys.js'
import { isStrict, strictRule } from '../../src/guard/strict.js'
import { InvalidRequestError } from '../../src/scheme/errors.js'
import { fields, type Field } from '../../src/scheme/fields.js'
import type { GuardSettings } from './guard-options.js'
import { readingOf } from './request-reader.js'

/** Returns an error message for a duplicate field: JSON decoders differ in the value that they keep. */
function duplicateIn (text: string): string | undefined {
  const field = duplicateKeys(text).find(key => fields.includes(key as Field))
  return field && `${field} must be given only once`
}

/** Refuses requests that do not match the strict grammar. */
export default fp<GuardSettings>(async function strictGuard (app, options) {
  if (!isStrict(options)) return
  const faultIn = strictRule(options, options.policy !== undefined)

  app.addHook('preHandler', (request, _reply, done) => {
    const fault = duplicateIn(request.ambiguousBody) ?? faultIn(readingOf(request), Date.now())
    done(fault === undefined ? undefined : new InvalidRequestError('ERR_STRICT', fault))
  })
}, { name: 'strict-guard', dependencies: ['json-body', 'request-reader'] })
