import type { HttpResponse } from '../../../src/command-line/send-request.js'

export const apiPath = '/api/generate-signature'

export function membersOf ({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** The message of an error as the service writes it: JSON of one member. */
export function errorIn (response: HttpResponse): string | undefined {
  const isJson = /^application\/json\b/i.test(response.headers['content-type'] ?? '')
  const members = membersOf(response)
  return isJson && typeof members.error === 'string' && Object.keys(members).length === 1 ? members.error : undefined
}

export const isRedirect = ({ status }: HttpResponse): boolean => status >= 300 && status < 400

export function describe (response: HttpResponse): string {
  const { status, headers } = response
  if (isRedirect(response)) return `${status}, a redirect to ${headers.location ?? 'nowhere'}`
  return `${status}, ${errorIn(response) ?? headers['content-type'] ?? 'no content type'}`
}

export const redirectAdvice = (base: string): string =>
  `Give clients the URL that ${base} redirects to: a redirected POST arrives as a GET or not at all, and browsers ` +
  'refuse a redirected preflight.'

/** What to do about a path that the service does not know, or that leads elsewhere. */
export function adviceOnPath (response: HttpResponse, wanted: string): string {
  const [, seen] = /^(?:Not Found|Method Not Allowed): \w+ (\S+)$/.exec(errorIn(response) ?? '') ?? []
  return seen === undefined
    ? 'Something else responds there: check the host, port and path prefix of the URL, and where the proxy sends it.'
    : `The service received ${seen}: have the proxy strip the prefix, so that it receives ${wanted}.`
}
