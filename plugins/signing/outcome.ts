/** What became of a request for a signature, as the metrics and the audit name it, by its status. */
const byStatus: Readonly<Record<number, string>> = {
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

/** The outcome that a response's status stands for. */
export const outcomeOf = (statusCode: number): string => byStatus[statusCode] ?? 'refused'
