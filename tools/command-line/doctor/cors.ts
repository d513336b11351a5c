import type { HttpResponse } from '../../../src/command-line/send-request.js'
import { failed, ok } from './finding.js'
import type { Finding } from './finding.js'
import { apiPath, describe, isRedirect, redirectAdvice } from './response.js'

/** Matches the names and addresses of this machine, which need no TLS. */
export const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

const name = 'cors'

/** Whether a browser would let a page of the origin send the request, and read the response. */
export function checkCors (base: string, origin: string, preflight: HttpResponse, response: HttpResponse): Finding {
  const { protocol, hostname } = new URL(base)
  if (origin.startsWith('https:') && protocol === 'http:' && !loopback.test(hostname)) {
    return failed(name, `a page of ${origin} may not call ${base}`,
      'Browsers block http requests from an https page: put the service behind TLS.')
  }
  if (preflight.status < 200 || preflight.status > 299) {
    return failed(name, `OPTIONS ${apiPath}: ${describe(preflight)}`, isRedirect(preflight)
      ? redirectAdvice(base)
      : 'Browsers send preflights without credentials: have the proxy pass OPTIONS on to the service.')
  }
  for (const [what, { headers }] of [['the preflight', preflight], ['the response', response]] as const) {
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') continue
    return failed(name, `${what} allows ${allowed ?? 'no origin'}`, allowed?.includes(',')
      ? 'There are two headers: have either the proxy or the service write Access-Control-Allow-Origin, not both.'
      : `Add exactly ${origin} to CORS_ORIGIN and restart; if it is there already, the proxy drops the header.`)
  }
  const allowed = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/[ ,]+/)
  if (!allowed.includes('content-type') && !allowed.includes('*')) {
    return failed(name, 'the preflight does not allow Content-Type',
      'Have the proxy pass OPTIONS on to the service, and its response back.')
  }
  return ok(name, `pages of ${origin} may call it and read the response`)
}
