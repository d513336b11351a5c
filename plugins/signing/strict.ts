import fp from 'fastify-plugin'
import { duplicateKeys } from '../../src/guard/duplicate-keys.js'
import { alsoSignedLike, strictGrammar } from '../../src/guard/strict.js'
import type { Reading } from '../../src/scheme/reading.js'
import { fields } from '../../src/scheme/request.js'
import type { Field } from '../../src/scheme/request.js'
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

const ambiguityIn = (reading: Reading): string | undefined => alsoSignedLike(reading) &&
  `transactionId must not be only digits: the signature would also be that of a void on FCRN ${reading.referenceNumber}; ` +
  'a policy can allow it to callers that may void'

/** A field that the body has twice: JSON decoders differ in which of the values they keep. */
function duplicateIn (text: string): string | undefined {
  const field = duplicateKeys(text).find(key => fields.includes(key as Field))
  return field && `${field} must be given only once`
}

/**
 * Refuses what does not match the strict grammar. A policy implies it: a rule about ambiguous text means nothing. What
 * the grammar leaves ambiguous is the policy's to decide; without one it is refused.
 */
export default fp<StrictOptions & { policy?: unknown }>(async function strict (app, options) {
  const { strict = false, accountNumberDigits = 6, timeStampMaxAhead = 86_400_000, policy } = options
  if (!strict && policy === undefined) return
  const faultIn = strictGrammar(accountNumberDigits, timeStampMaxAhead)

  app.addHook('preHandler', (request, _reply, done) => {
    const reading = readingOf(request)
    const fault = duplicateIn(request.ambiguousBody) ?? faultIn(reading, Date.now()) ??
      (policy === undefined ? ambiguityIn(reading) : undefined)
    done(fault === undefined ? undefined : new RefusedError(400, fault))
  })
}, { name: 'strict', dependencies: ['json-body', 'reading'] })
