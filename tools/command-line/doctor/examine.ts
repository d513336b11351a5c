import type { Variant } from '../../../src/scheme/variants.js'
import { NoResponseError, sendRequest } from '../../../src/command-line/send-request.js'
import type { HttpResponse } from '../../../src/command-line/send-request.js'
import {
  apiPath, checkAddress, checkClock, checkCors, checkEncryption, checkErrors, checkHealth, checkSignature, failed,
  membersOf, skipped
} from './checks.js'
import type { Finding, Subject } from './checks.js'

/** What to do if there is no response, by the reason. */
export function adviceOn (reason: string): string {
  if (/CERT|SIGN|SSL|TLS/.test(reason)) {
    return 'This machine does not trust the certificate: set NODE_EXTRA_CA_CERTS to its CA\'s file, or fix the certificate.'
  }
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') return 'This host name does not resolve here: check its spelling, and DNS.'
  if (reason.startsWith('no response')) return 'Check firewalls and the proxy; --timeout allows more time.'
  return 'Is the service running, and does HOST let this machine reach it? Check the host and port of the URL.'
}

/** All checks, in the order in which one rests on another. */
export async function examine (subject: Subject): Promise<Finding[]> {
  const { base, origin, apiKey, probe, timeout } = subject
  const key: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const post = (body: string): Promise<HttpResponse> => sendRequest(new URL(base + apiPath), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key, ...(origin === undefined ? {} : { origin }) },
    body,
    timeout
  })
  const findings = checkEncryption(subject)
  try {
    const health = await sendRequest(new URL(`${base}/health`), { timeout })
    findings.push(checkHealth(subject, health), checkClock(health))

    const refusal = await post('{}')
    const address = checkAddress(subject, refusal)
    findings.push(address)
    findings.push(address.status === 'ok' ? checkErrors(refusal) : skipped('errors', 'address has to pass first'))
    if (origin === undefined) {
      findings.push(skipped('cors', 'to check it, pass the page\'s --origin'))
    } else {
      const preflight = await sendRequest(new URL(base + apiPath), {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
        timeout
      })
      findings.push(checkCors(base, origin, preflight, refusal))
    }
    const isReady = findings.every(({ name, status }) => status !== 'failed' || (name !== 'health' && name !== 'address'))
    findings.push(isReady
      ? checkSignature(subject, membersOf(health).variant as Variant, await post(JSON.stringify(probe)))
      : skipped('signature', 'health and address have to pass first'))
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    findings.push(failed('connection', `${base}: ${error.message}`, adviceOn(error.message)))
  }
  return findings
}
