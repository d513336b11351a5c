import { types } from 'node:util'
import { irregularitiesOf } from '../guard/irregularities.js'
import { messages } from '../http/messages.js'
import { failureOf, RefusedError } from '../http/refused-error.js'
import { isRequest, toText, type Reading, type SignatureRequest } from '../scheme/request.js'
import type { Reader } from '../scheme/variant.js'
import type { Merchants } from '../token/merchants-in-use.js'
import type { Attempt } from './attempt.js'
import type { SigningSettings } from './options.js'

const terms = ['clientTimeStamp', 'sid', 'amount', 'referenceNumber', 'orderIdOrNull', 'idType', 'accountNumber'] as const

/** True for a reading, a copy or a Proxy of one. A custom signer may have no types. */
const isReading = (value: Partial<Reading> | null | undefined): value is Reading =>
  typeof value?.fields === 'object' && terms.every(name => typeof value[name] === 'string')

/** Returns the result of a conversion, or undefined if it throws. */
function attempted<T> (convert: () => T): T | undefined {
  try {
    return convert()
  } catch {
    return undefined
  }
}

/**
 * Returns the reader of the merchant whose account a request has. Before it throws the refusal of the account, it notes
 * the terms of the request for the audit: a stolen key that tries accounts must be visible.
 */
function merchantReader (
  attempt: Attempt, body: SignatureRequest, merchants: Merchants, isStrict: boolean
): Pick<Reader, 'read'> {
  const { accountNumber, merchant, refusal } = merchants.select(body, attempt.enforcedRules)
  attempt.merchant = merchant ?? null
  if (refusal === undefined) return merchant.signer
  attempt.reading = attempted(() => merchant?.signer.read(body, isStrict)) ?? null
  const textOf = (value: unknown) => attempted(() => toText(value)) ?? ''
  attempt.unreadTerms = { accountNumber, clientTimeStamp: textOf(body.clientTimeStamp), sid: textOf(body.sid) }
  throw refusal
}

/**
 * Returns a function that reads a request's body (specification 4.1, steps 1 to 6), and throws the error of a request
 * that the scheme refuses. All later code uses the reading and not the body.
 */
export function requestReader ({ reader, merchants, modes }: SigningSettings): (attempt: Attempt) => Reading {
  const isStrict = modes.judgesStrictly
  return attempt => {
    const { body } = attempt.request
    if (!isRequest(body)) throw new RefusedError('body-invalid', messages.bodyNotAnObject)
    attempt.hasOwnToken = Boolean(body.merchantToken)
    let reading: Partial<Reading> | null | undefined
    try {
      const selected = merchants === undefined ? reader : merchantReader(attempt, body, merchants, isStrict)
      reading = selected.read(body, isStrict)
      if (isStrict && isReading(reading)) attempt.irregularities = irregularitiesOf(body, reading)
    } catch (thrown) {
      throw failureOf(thrown)
    }
    if (isReading(reading)) return (attempt.reading = reading)
    if (types.isPromise(reading)) reading.catch(() => {}) // a rejection that nobody handles would end the process
    throw new TypeError('the signer\'s method read must return a reading, and no promise')
  }
}
