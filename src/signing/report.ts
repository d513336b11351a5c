import type { FastifyInstance } from 'fastify'
import type { SigningSettings } from './options.js'
import { guardCodes } from '../settings/modes.js'
import { clientAddress } from '../http/client-address.js'
import { errorCodeOf } from '../http/refused-error.js'
import { traceFieldsOf } from '../http/request-id.js'
import type { CallerLabels } from './decision-metrics.js'
import { counterIn } from '../telemetry/prometheus.js'
import { repeatedRefusals } from '../telemetry/log-limits.js'
import type { Attempt, Guard, Verdict } from './attempt.js'

interface Reporter {
  /** Names of the guards whose refusals are only reported. */
  readonly guards: ReadonlySet<Guard['name']>
  /** Reports a refusal in the log, the metrics and the audit. */
  add (guard: Guard['name'], attempt: Attempt, refusal: NonNullable<Verdict>): void
}

/** Returns what reports the refusals of the guards in report mode. */
export async function reporter (
  app: FastifyInstance, options: SigningSettings, labels: CallerLabels
): Promise<Reporter> {
  const { metrics, isProduction, modes } = options
  const guards = modes.reports
  if (guards.size === 0) return { guards, add () {} }

  if (isProduction) app.log.warn(`guards that only report and refuse nothing (REPORT_ONLY): ${[...guards].join(', ')}`)
  const isRepeated = repeatedRefusals(app, line => app.log.warn(line, 'more requests would be refused'))
  const reports = metrics && await counterIn(metrics, 'payment_signature_would_refuse_total',
    'Requests that a guard in report mode did not refuse.', ['guard', 'code', 'caller'])
  for (const guard of guards) {
    for (const code of guardCodes[guard]) reports?.inc({ guard, code, caller: 'anonymous' }, 0) // rates need the first value
  }

  function add (guard: Guard['name'], attempt: Attempt, refusal: NonNullable<Verdict>): void {
    const errorCode = errorCodeOf(refusal)
    const [code = '', parameter] = errorCode.split('; ')
    const [, field] = parameter?.split('field=') ?? []
    const { caller, wouldRefuse: others, request } = attempt
    attempt.wouldRefuse = others === undefined ? errorCode : `${others}, ${errorCode}`
    reports?.inc({ guard, code, caller: labels.of(caller) })
    const kind = { guard, code, field, caller }
    if (isRepeated(clientAddress(request), kind)) return
    request.log.warn({ ...kind, ip: request.ip, error: refusal.message, ...traceFieldsOf(request) }, 'request would be refused')
  }
  return { guards, add }
}
