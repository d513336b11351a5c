import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Response to a request of {@link sendRequest}. */
export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** First 65,536 UTF-16 code units of the body. */
  readonly body: string
}

interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Time-out for the whole response, in milliseconds. */
  readonly timeout: number
}

const maxLength = 65_536

/** Error for a request without a response. The message is the reason. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
}

/**
 * Sends one HTTP request over a new connection, and follows no redirect.
 *
 * @throws NoResponseError
 */
export async function sendRequest (
  url: URL, { method = 'GET', headers = {}, body, timeout }: HttpRequest
): Promise<HttpResponse> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const signal = AbortSignal.timeout(Math.min(timeout, 2 ** 31 - 1))
  const outgoing = request(url, { method, headers, agent: false, signal })
  try {
    const [response] = await once(outgoing.end(body), 'response') as [IncomingMessage]
    outgoing.on('error', () => {}) // the response has the same error
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      text = (text + chunk).slice(0, maxLength)
      if (text.length === maxLength) break // closes the connection
    }
    return { status: response.statusCode as number, headers: response.headers, body: text }
  } catch (cause) {
    const reason = signal.aborted ? `no response within ${timeout} ms` : String((cause as NodeJS.ErrnoException).code)
    throw new NoResponseError(reason, { cause })
  }
}
