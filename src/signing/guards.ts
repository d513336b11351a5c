import type { FastifyInstance } from 'fastify'
import { type Guard as Reportable, refusesAmbiguity, reportingGuards } from '../settings/modes.js'
import type { SigningSettings } from './guard-options.js'
import { isStrict, strictRule } from '../guard/strict.js'
import { messages } from '../http/messages.js'
import { overloadError, type RefusedError } from '../http/refused-error.js'
import { InvalidRequestError } from '../scheme/errors.js'
import type { Reading } from '../scheme/request.js'
import type { CallerLabels } from './caller-labels.js'
import { counterIn } from '../telemetry/prometheus.js'
import type { Asked } from './asked.js'
import { authorize } from './authorize.js'
import { policyGuard } from './policy-guard.js'
import { rateLimit } from './rate-limit.js'

/** Refusal of a guard; undefined if the guard allows the request. */
export type Verdict = RefusedError | InvalidRequestError | undefined

/** A guard of the signing route. It may refuse a request at two moments. */
export interface Guard {
  readonly name: Reportable | 'load-shedding' | 'context'
  /** Before the body is read. No request waits here: a promise is awaited once the body was read. */
  arrive? (asked: Asked): Verdict | Promise<Verdict>
  /** After the body was read and all guards before this one have allowed the request. */
  judge? (asked: Asked, reading: Reading): Verdict | Promise<Verdict>
}

/** Returns the guards in their order, at both moments. Each line can be deleted. */
export async function guardsOf (app: FastifyInstance, options: SigningSettings, labels: CallerLabels): Promise<Guard[]> {
  const guards = [
    await loadShedding(options),
    bodyToken(options),
    strictGuard(options),
    await policyGuard(app, options, labels),
    await rateLimit(app, options),
    contextOf(options),
    await authorize(options)
  ]
  return guards.filter(guard => guard !== undefined)
}

/** Refuses requests for a signature during overload. Probes always get a response. */
async function loadShedding ({ isOverloaded, metrics }: SigningSettings): Promise<Guard | undefined> {
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
function contextOf ({ context }: SigningSettings): Guard | undefined {
  return context && {
    name: 'context',
    async arrive (asked) {
      try {
        asked.context = await context(asked.request)
      } catch (error) {
        throw error || new Error('a promise was rejected without an error')
      }
      return undefined
    }
  }
}

/** Refuses requests with their own token. */
function bodyToken ({ acceptBodyToken }: SigningSettings): Guard | undefined {
  if (acceptBodyToken) return undefined
  return { name: 'body-token', judge: ({ hasOwnToken }) => hasOwnToken ? new InvalidRequestError('ERR_BODY_TOKEN') : undefined }
}

/** Refuses requests that do not match the strict grammar, and duplicate fields: JSON decoders keep different values. */
function strictGuard (options: SigningSettings): Guard | undefined {
  if (!isStrict(options)) return undefined
  // A policy that only reports does not refuse the voids among the inquiries.
  const isAlone = options.policy === undefined || (refusesAmbiguity(options) && reportingGuards(options).has('policy'))
  const faultIn = strictRule(options.accountNumberDigits, !isAlone)
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
