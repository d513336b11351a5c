import { ConformanceError, inParallel, remark, type Vector, type VectorOutcome } from './vectors.js'

/** Maximum number of concurrent requests. Low, because a service may limit their rate. */
const maxConcurrency = 4

/** True if a service whose configured token is `token` must return the vector's signature. */
export function isCovered (vector: Vector, token: string): boolean {
  return vector.token === token || Boolean(vector.request.merchantToken)
}

/** Returns the signature, or the status and message of a refusal. A 429, for example, refuses no text. */
function answerIn (status: number, body: string, { isRefused }: Vector): string | undefined {
  try {
    const { signature, error } = JSON.parse(body)
    if (status === 200) return typeof signature === 'string' ? signature : undefined
    const isAnswer = isRefused || status === 400 || status === 500
    return isAnswer && typeof error === 'string' ? `${status} ${error}` : undefined
  } catch {
    return undefined
  }
}

/** @throws Error of fetch: there is no response */
async function send (url: string, vector: Vector, timeout: number): Promise<VectorOutcome> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: vector.requestText,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout)
  })
  const body = await response.text()
  const text = answerIn(response.status, body, vector)
  return text === undefined ? { problem: `status ${response.status}: ${remark(body, vector)}` } : { text }
}

function faultIn (error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
  return name === 'TimeoutError' ? 'no response in time' : cause?.code ?? message
}

/**
 * Sends each vector's request to a signing endpoint, which has its own token.
 *
 * @param timeout - time-out for each response, in milliseconds
 * @throws ConformanceError the first request gets no response, or one that no signing endpoint sends
 */
export async function callEndpoint (
  url: string, vectors: readonly Vector[], timeout: number
): Promise<VectorOutcome[]> {
  const [first, ...rest] = vectors
  if (first === undefined) return []
  const outcome = await send(url, first, timeout).catch((error: unknown) => {
    throw new ConformanceError(`${url} cannot be reached: ${faultIn(error)}`)
  })
  // A service may refuse a single vector, or answer too many requests; a wrong address answers no vector.
  if ('problem' in outcome && /^status (?:2..|404|405):/.test(outcome.problem)) {
    throw new ConformanceError(`${url} is no signing endpoint: it answers ${outcome.problem}`)
  }
  const outcomes = await inParallel(rest, maxConcurrency, vector =>
    send(url, vector, timeout).catch((error: unknown) => ({ problem: faultIn(error) })))
  return [outcome, ...outcomes]
}
