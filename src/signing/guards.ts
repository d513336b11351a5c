import { strictRule } from '../guard/strict.js'
import { messages } from '../http/messages.js'
import { overloadError } from '../http/refused-error.js'
import { InvalidRequestError } from '../scheme/errors.js'
import { counterIn } from '../telemetry/prometheus.js'
import type { Guard } from './attempt.js'
import type { SigningSettings } from './options.js'

/** Refuses requests for a signature during overload. Probes always get a response. */
export async function loadShedding ({ isOverloaded, metrics }: SigningSettings): Promise<Guard | undefined> {
  if (isOverloaded === undefined) return undefined
  const shed = metrics && await counterIn(metrics, 'payment_signature_shed_requests_total',
    'Requests for a signature that were refused because of overload.', [])
  return {
    name: 'load-shedding',
    arrive () {
      if (!isOverloaded()) return undefined
      shed?.inc()
      return overloadError(messages.overloaded)
    }
  }
}

/** Calls the option `context`. */
export function contextOf ({ context }: SigningSettings): Guard | undefined {
  return context && {
    name: 'context',
    async arrive (attempt) {
      try {
        attempt.context = await context(attempt.request)
      } catch (error) {
        throw error || new Error('a promise was rejected without an error')
      }
      return undefined
    }
  }
}

/** Refuses requests with their own token. */
export function bodyToken ({ acceptBodyToken }: SigningSettings): Guard | undefined {
  if (acceptBodyToken) return undefined
  return {
    name: 'body-token',
    judge: ({ hasOwnToken }) => hasOwnToken ? new InvalidRequestError('ERR_BODY_TOKEN') : undefined
  }
}

/** Refuses requests that do not match the strict grammar, and duplicate fields: JSON decoders keep different values. */
export function strictGuard ({ modes, accountNumberDigits }: SigningSettings): Guard | undefined {
  if (!modes.judgesStrictly) return undefined
  const faultIn = strictRule(accountNumberDigits, modes.policyJudgesInquiries)
  return {
    name: 'strict',
    judge ({ duplicateField, irregularities }, reading) {
      const fault = duplicateField === undefined
        ? faultIn(reading, irregularities, Date.now())
        : `${duplicateField} must be given only once`
      return fault === undefined ? undefined : new InvalidRequestError('ERR_STRICT', fault)
    }
  }
}
