export const outcomes = [
  'signed', 'invalid', 'unauthenticated', 'forbidden', 'rate_limited', 'failed', 'unavailable', 'refused'
] as const

/** What became of a request for a signature, as the metrics and the audit name it. */
export type Outcome = typeof outcomes[number]

const byStatus: Readonly<Record<number, Outcome>> = {
  200: 'signed',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  413: 'invalid',
  415: 'invalid',
  429: 'rate_limited',
  500: 'failed',
  503: 'unavailable'
}

/** The outcome that an answer's status stands for. */
export function outcomeOf (statusCode: number): Outcome {
  return byStatus[statusCode] ?? 'refused'
}
