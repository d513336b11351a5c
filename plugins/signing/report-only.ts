import fp from 'fastify-plugin'
import type { GuardSettings } from '../../src/configuration/guard-options.js'
import { guardCodes, type Guard } from '../../src/configuration/guard-codes.js'
import { reportingGuards } from '../../src/configuration/report-only.js'
import { clientAddress } from '../../src/http/client-address.js'
import { RefusedError, schemeErrorCode } from '../../src/http/refused-error.js'
import { traceFieldsOf } from '../../src/http/trace-context.js'
import type { InvalidRequestError } from '../../src/scheme/errors.js'
import { counterIn } from '../../src/telemetry/prometheus.js'
import { repeatedRefusals } from '../../src/telemetry/repeated-refusals.js'

/** Refusal of a guard; undefined if the guard allows the request. */
type Verdict = RefusedError | InvalidRequestError | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the refusal if the guard must refuse the request. Otherwise reports it and returns undefined. */
    enforce (guard: Guard, request: FastifyRequest, refusal: Verdict): Verdict
  }
  interface FastifyRequest {
    /** `Error-Code` of refusals that guards only reported, such as `strict; field=amount, policy`, for the audit. */
    signingWouldRefuse: string | undefined
  }
}

/** Decides for all guards which refusals are only reported: in the log, the metrics and the audit. */
export default fp<GuardSettings>(async function reportOnly (app, options) {
  const { metrics, isProduction } = options
  const guards = reportingGuards(options)
  app.decorateRequest('signingWouldRefuse', undefined)
  if (guards.size === 0) return app.decorate('enforce', (_guard, _request, refusal) => refusal)

  if (isProduction) app.log.warn(`guards that only report and refuse nothing (REPORT_ONLY): ${[...guards].join(', ')}`)
  const isRepeated = repeatedRefusals(app, line => app.log.warn(line, 'more requests would be refused'))
  const reports = metrics && await counterIn(metrics, 'payment_signature_would_refuse_total',
    'Requests that a guard in report mode did not refuse.', ['guard', 'code', 'caller'])
  for (const guard of guards) {
    for (const code of guardCodes[guard]) reports?.inc({ guard, code, caller: 'anonymous' }, 0) // rates need the first value
  }

  app.decorate('enforce', (guard, request, refusal) => {
    if (refusal === undefined || !guards.has(guard)) return refusal
    const errorCode = refusal instanceof RefusedError ? refusal.code : schemeErrorCode(refusal)
    const [code, field] = errorCode.split('; field=') as [string, string?]
    const { signingCaller: caller, signingWouldRefuse: others, ip, log } = request
    request.signingWouldRefuse = others === undefined ? errorCode : `${others}, ${errorCode}`
    reports?.inc({ guard, code, caller: app.callerLabels.of(caller) })
    const kind = { guard, code, field, caller }
    if (isRepeated(clientAddress(request), kind)) return undefined
    log.warn({ ...kind, ip, error: refusal.message, ...traceFieldsOf(request) }, 'request would be refused')
    return undefined
  })
}, { name: 'report-only', fastify: '5.x' })
