// Client of the payment signature service, for Node.js 20 or newer. Copy this file into your project.

const other = 'probably not the service: a CDN, a firewall, a proxy or the app around it'
const temporary = [0, 408, 502, 503, 504, 520, 521, 522, 523, 524]

/** A request that got no signature. */
export class SignatureError extends Error {
  name = 'SignatureError'

  /**
   * @param {number} status
   * @param {Headers} headers
   * @param {string} text
   * @param {ErrorOptions} [options]
   */
  constructor (status, headers, text, options) {
    const errorCode = headers.get('Error-Code') ?? ''
    const requestId = headers.get('X-Request-Id') ?? undefined
    const seconds = headers.get('Retry-After') ?? '' // a proxy may send a date
    const isOther = status !== 0 && errorCode === '' && !/^\s*\{[^]*"error"\s*:/.test(text)
    super(`${status} ${isOther ? other : errorCode} (request ${requestId}): ${text.slice(0, 200)}`, options)
    /** HTTP status; 0 without a complete response. */
    this.status = status
    /** Error code of the service, such as `policy`; empty if another server responded, or none. */
    this.code = errorCode.split(';')[0]
    /** Field at fault, such as `amount`. @type {string | undefined} */
    this.field = /field=([\w.-]+)/.exec(errorCode)?.[1]
    /** Rule of the policy, or code of your backend, such as `ALREADY_PAID`. @type {string | undefined} */
    this.reason = /reason=([\w.-]+)/.exec(errorCode)?.[1]
    /** ID of the request in the service's log. */
    this.requestId = requestId
    /** Seconds to wait before a retry. */
    this.retryAfter = /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined
  }
}

/** Requests signatures at a URL. */
export class SignatureClient {
  #url
  #headers
  #timeout
  #attempts

  /**
   * @param {string | URL} url - the whole URL of the endpoint
   * @param {object} [options]
   * @param {string} [options.key] - API key of the policy
   * @param {number} [options.timeout] - seconds until the whole response must be there
   * @param {number} [options.attempts] - number of attempts; 1: no retry
   */
  constructor (url, { key = '', timeout = 5, attempts = 4 } = {}) {
    const word = key.trim()
    if (!/^[!-~]*$/.test(word)) throw new TypeError('key must be one line of ASCII characters without spaces')
    this.#url = new URL(url)
    this.#headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'payment-signature-client', // firewalls refuse fetch's own
      ...word && { Authorization: `Bearer ${word}` }
    }
    this.#timeout = timeout
    this.#attempts = attempts
  }

  /**
   * Returns the signature of the fields. May wait up to 10 seconds before a retry.
   *
   * @param {object} fields
   * @returns {Promise<string>}
   * @throws {SignatureError}
   */
  async sign (fields) {
    const body = JSON.stringify(fields)
    for (let attempt = 1; ; attempt++) {
      const result = await this.#post(body)
      if (typeof result === 'string') return result
      const { status, retryAfter } = result
      const wait = Math.max(0.2 * attempt, retryAfter ?? 0)
      const isTemporary = temporary.includes(status) || (status === 429 && retryAfter !== undefined)
      if (!isTemporary || attempt >= this.#attempts || wait > 10) throw result
      await new Promise(resolve => setTimeout(resolve, 1000 * wait))
    }
  }

  /** @param {string} body */
  async #post (body) {
    const signal = AbortSignal.timeout(1000 * this.#timeout)
    const request = new Request(this.#url, { method: 'POST', headers: this.#headers, body, signal, redirect: 'manual' })
    try {
      const { status, headers, text } = await fetch(request).then(async response => (
        { status: response.status, headers: response.headers, text: await response.text() }))
      const found = /"signature"\s*:\s*"([0-9a-f]{64}\/\/\/[0-9a-f]{64})"/.exec(text)
      if (status === 200 && found) return found[1] // a log-in page has status 200, too
      return new SignatureError(status, headers, text)
    } catch (cause) {
      return new SignatureError(0, new Headers(), `${cause}`, { cause })
    }
  }
}
