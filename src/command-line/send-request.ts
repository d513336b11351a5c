import type { IncomingHttpHeaders } from 'node:http'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** At most the first 64 KiB. */
  readonly body: string
  /** From sending the request to the headers of the response, in milliseconds. */
  readonly took: number
  /** In epoch milliseconds, on this machine, when the headers came. */
  readonly receivedAt: number
}

interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole response, in milliseconds. */
  readonly timeout: number
}

const maxLength = 65_536

/** There was no response. The message says why. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
}

function reasonOf (error: unknown, timeout: number): string {
  const { name, code } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return `no response within ${timeout} ms`
  return String(code)
}

/**
 * Sends one HTTP request over a connection of its own, and follows no redirect: where to is for the caller to say.
 *
 * @throws NoResponseError
 */
export async function sendRequest (
  url: URL, { method = 'GET', headers = {}, body, timeout }: HttpRequest
): Promise<HttpResponse> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const sentAt = performance.now()
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(new NoResponseError(reasonOf(error, timeout), { cause: error }))
    }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    request(url, { method, headers: { ...headers, ...length }, agent: false, signal: AbortSignal.timeout(timeout) })
      .once('error', refuse)
      .once('response', response => {
        const took = performance.now() - sentAt
        const receivedAt = Date.now()
        let text = ''
        const { statusCode: status = 0, headers } = response
        const finish = (): void => resolve({ status, headers, body: text, took, receivedAt })
        response.setEncoding('utf8')
          .on('data', chunk => {
            text = (text + chunk).slice(0, maxLength)
            if (text.length === maxLength) {
              finish()
              response.destroy()
            }
          })
          .once('end', finish)
          .once('error', refuse)
      })
      .end(body)
  })
}
