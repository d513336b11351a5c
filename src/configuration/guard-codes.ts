import type { ErrorCodeName } from '../http/error-codes.js'

/** Guards that `REPORT_ONLY` can list, each with the codes of its refusals. */
export const guardCodes = {
  'body-token': ['body-token'],
  strict: ['strict'],
  policy: ['policy', 'api-key-required', 'api-key-unknown', 'key-failures'],
  'rate-limit': ['rate-limit', 'rate-limit-unavailable'],
  authorize: ['refused', 'authorization-unavailable']
} as const satisfies Record<string, readonly ErrorCodeName[]>

export type Guard = keyof typeof guardCodes
