import { codeOf, NoDecisionError, type Answer, type Authorize } from './authorize.js'

/** Length limit of a response's body, in bytes. */
const maxLength = 16_384

/** Returns the body of a response; undefined if it is compressed or too long. */
async function bytesOf ({ headers, body }: Response): Promise<Buffer | undefined> {
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return undefined // it can become gigabytes
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxLength) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns a JSON object in UTF-8 that has the own member `allowed`, or an empty object; undefined for no JSON. */
function answerIn (bytes?: Buffer): Partial<Answer> | undefined {
  try {
    const value = Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    return Object.hasOwn(value, 'allowed') ? value : Object.create(null)
  } catch {
    return undefined
  }
}

/** Statuses that a refusal keeps. Browsers and proxies act on others, such as 407, 408, 421 and 425. */
const keptStatuses = [400, 401, 402, 403, 404, 409, 410, 422, 423, 429, 451]

/** Likely causes of a response without a decision, by its status. The first that applies is logged. */
const likelyCauses: ReadonlyArray<readonly [status: RegExp, cause: string]> = [
  [/^204/, 'the route returned nothing'],
  [/^3/, 'a redirect to a log-in page, to https or to another path'],
  [/^400/, 'a check of the Host, or of the body, in front of the route'],
  [/^(?:401|403|409|419|422)/, 'log-in, CSRF protection or a check of the Host in front of the route, or a body without allowed'],
  [/^404/, 'the path of AUTHORIZE_URL is wrong'],
  [/^405/, 'the route does not accept POST'],
  [/^[45]/, 'an error or a limit of the backend or its proxy: read their logs'],
  [/^/, 'another page, or a body without allowed, compressed or over 16 KiB']
]

/** Returns the decision of a response. A page of a framework or a proxy is no decision, whatever its status. */
async function decisionIn (response: Response): Promise<Answer> {
  const { status, headers } = response
  const mayDecide = status === 200 || (status >= 400 && status < 500)
  const bytes = mayDecide ? await bytesOf(response) : undefined
  const answer = answerIn(bytes)
  const { allowed } = answer ?? {}
  if (allowed === false || (allowed === true && status === 200)) {
    return { ...answer, allowed, statusCode: keptStatuses.includes(status) ? status : 403 }
  }
  await response.body?.cancel().catch(() => {})
  const [type] = /^[\w.+-]{1,32}\/[\w.+-]{1,64}/.exec(headers.get('content-type') ?? '') ?? ['no content type']
  const like = status === 200 && bytes?.length === 0 ? 204 : status
  const [, ofStatus] = likelyCauses.find(([pattern]) => pattern.test(String(like)))!
  const isMixed = answer === undefined && bytes?.includes('"allowed"')
  const cause = isMixed ? 'text before or behind the JSON, such as a warning of PHP, or not UTF-8' : ofStatus
  throw new NoDecisionError(`status ${status}, ${type}, decides nothing; likely ${cause}`, status >= 500)
}

const json = 'application/json'

/** Returns a function that asks the merchant's backend. `docs/authorization.md` defines each response's meaning. */
export function backendAt (url: string): Authorize {
  return async ({ request, alsoSignedLike, caller, clientAddress, headers, id }, signal) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    try {
      return await decisionIn(await fetch(url, {
        method: 'POST',
        // A framework that sees Accept responds with 401 instead of a redirect to a log-in page.
        headers: {
          ...Object.fromEntries(given), 'content-type': json, accept: json, 'accept-encoding': 'identity', 'x-request-id': id
        },
        body: JSON.stringify({ ...request, alsoSignedLike, caller, clientAddress }),
        redirect: 'manual',
        signal
      }))
    } catch (error) { // its message may quote a cookie
      const isPort = Object(Object(error).cause).message === 'bad port' // such as 6000: as in browsers
      const reason = codeOf(error) ?? (isPort ? 'fetch refuses the port of AUTHORIZE_URL: use another' : 'fetch failed')
      throw error instanceof NoDecisionError ? error : new NoDecisionError(reason, true)
    }
  }
}
