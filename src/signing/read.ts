import { types } from 'node:util'
import type { SigningSettings } from './guard-options.js'
import { reportingGuards } from '../settings/modes.js'
import { irregularitiesOf } from '../guard/irregularities.js'
import { isStrict } from '../guard/strict.js'
import { messages } from '../http/messages.js'
import { failureOf, RefusedError } from '../http/refused-error.js'
import { isRequest, type Reading } from '../scheme/request.js'
import type { Asked } from './asked.js'

const terms = ['clientTimeStamp', 'sid', 'amount', 'referenceNumber', 'orderIdOrNull', 'idType', 'accountNumber'] as const

/** True for a reading, a copy or a Proxy of one. A custom signer may have no types. */
const isReading = (value: Partial<Reading> | null | undefined): value is Reading =>
  typeof value?.fields === 'object' && terms.every(name => typeof value[name] === 'string')

/**
 * Returns a function that reads a request's body (specification 4.1, steps 1 to 6), and throws the error of a request
 * that the scheme refuses. All later code uses the reading and not the body.
 */
export function bodyReader (options: SigningSettings): (asked: Asked) => Reading {
  const { reader, merchants } = options
  const needsIrregularities = isStrict(options)
  const isReported = reportingGuards(options).has('policy')

  return asked => {
    const { body } = asked.request
    if (!isRequest(body)) throw new RefusedError('body-invalid', messages.bodyNotAnObject)
    asked.hasOwnToken = Boolean(body.merchantToken)
    let reading: Partial<Reading> | null | undefined
    try {
      const merchant = merchants?.select(body, isReported ? null : asked.rules)
      asked.merchant = merchant ?? null
      reading = (merchant?.signer ?? reader).read(body, needsIrregularities)
      if (needsIrregularities && isReading(reading)) asked.irregularities = irregularitiesOf(body, reading)
    } catch (thrown) {
      throw failureOf(thrown)
    }
    if (isReading(reading)) return (asked.reading = reading)
    if (types.isPromise(reading)) reading.catch(() => {}) // a rejection that nobody handles would end the process
    throw new TypeError('the signer\'s method read must return a reading, and no promise')
  }
}
