import { channel } from 'node:diagnostics_channel'
import { isAllowedBy, refusalIn } from '../../src/guard/backend-answer.js'
import type { Authorize, Refusal } from './authorize.js'

/** The most that is read of an answer, in bytes. */
const maxLength = 16_384

/** What a proxy says of a backend that is not there. */
const gatewayStatuses = new Set([502, 503, 504])

/** What tells tracing of each request of fetch. Whoever listens to it sends a traceparent, and two of them are none. */
const tracing = channel('undici:request:create')

/** There is no decision. Its message is for the log: it holds nothing of the URL, nor of the answer. */
export class NoDecisionError extends Error {
  override readonly name = 'NoDecisionError'
  /** Whether nobody answers, whatever is asked; another request may well get a decision, if not. */
  readonly isDown: boolean

  constructor (message: string, isDown: boolean) {
    super(message)
    this.isDown = isDown
  }
}

/** The body, unless it is compressed (a few bytes can become gigabytes) or too large. */
async function textOf (response: Response): Promise<string> {
  const encoding = response.headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    await response.body?.cancel()
    throw new NoDecisionError(`status ${response.status}, with a compressed body`, false)
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxLength) throw new NoDecisionError(`status ${response.status}, with a body over ${maxLength} bytes`, false)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** The decision that a response is. */
async function decisionIn (response: Response): Promise<true | Refusal> {
  const { status, ok } = response
  if (status >= 400 && status < 500) {
    // The status has refused; whatever else is wrong with the body, it is not for the client.
    return { statusCode: status, error: refusalIn(await textOf(response).catch(() => '')) }
  }
  if (!ok) {
    await response.body?.cancel()
    throw new NoDecisionError(`status ${status}`, gatewayStatuses.has(status))
  }
  const text = await textOf(response)
  const isAllowed = isAllowedBy(text)
  if (isAllowed === undefined) throw new NoDecisionError(`status ${status}, with a body that says neither yes nor no`, false)
  return isAllowed || { statusCode: 403, error: refusalIn(text) }
}

/** Asks the merchant's backend: `docs/policy.md` says what its answers mean. */
export function askBackend (url: string): Authorize {
  return async ({ request, alsoSignedLike, caller, clientAddress, headers, traceparent, id }, signal) => {
    const given = Object.entries({ ...headers, traceparent: tracing.hasSubscribers ? undefined : traceparent })
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
    try {
      return await decisionIn(await fetch(url, {
        method: 'POST',
        headers: {
          ...Object.fromEntries(given),
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'x-request-id': id
        },
        body: JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress }),
        redirect: 'manual',
        signal
      }))
    } catch (error) {
      if (error instanceof NoDecisionError) throw error
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      throw new NoDecisionError(code ?? 'the request cannot be sent', code !== undefined)
    }
  }
}
