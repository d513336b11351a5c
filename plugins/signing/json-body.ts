import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyError } from 'fastify'
import fp from 'fastify-plugin'
import { hasMoreValues } from '../../src/guard/json-text.js'
import { RefusedError } from '../../src/service/refused-error.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Text of the body, if the option `keepText` is set. */
    bodyText: string
  }
}

export interface JsonBodyOptions {
  /** The largest body, in bytes. */
  bodyLimit: number
  /** Sets `request.bodyText`. */
  keepText: boolean
}

/**
 * Bytes that all unfinished bodies of the process may hold together; `bodyLimit`, if that is larger. Enough for 10,000
 * bodies of 800 bytes, and small in a process with 128 MiB.
 */
const maxHeld = 8 * 2 ** 20

/** Size of the first buffer into which the chunks of a body are copied, in bytes. */
const firstCapacity = 1024

/** Arrays, objects and commas in a body. A request with all fields has 11. */
const maxValues = 500

const notJson = 'Body is not valid JSON but content-type is set to \'application/json\''

/** Seconds after which a client is told to try again. */
const retryAfter = 2

const nothing = Buffer.alloc(0)

/** Bodies that are being read, in all apps of the process. */
const unfinished = new Set<Body>()

/** Bytes that these bodies hold. */
let held = 0

/** A body that is being read. Its chunks are copied into one buffer: a Buffer takes about 300 bytes, a chunk may have one. */
class Body {
  #bytes: Buffer = nothing
  #length = 0
  readonly #limit: number
  readonly #done: (error: Error | null, bytes?: Buffer) => void

  constructor (limit: number, done: (error: Error | null, bytes?: Buffer) => void) {
    this.#limit = limit
    this.#done = done
    unfinished.add(this)
  }

  /** Attaches the listeners. They stay until the stream ends, so that the rest of a refused body is discarded. */
  read (payload: Readable & { receivedEncodedLength?: number }, raw: IncomingMessage, declaredLength: number): void {
    const fail = () => {
      const error: Error & { statusCode?: number } = payload.errored ?? raw.errored ??
        new RefusedError(400, 'The request body is incomplete')
      error.statusCode ??= 400
      this.finish(error)
    }
    if (payload.destroyed) return fail() // while a hook took its time
    payload.on('data', (chunk: Buffer | string) => {
      this.#add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, payload.receivedEncodedLength ?? 0)
    })
    payload.on('end', () => {
      const length = payload.receivedEncodedLength ?? this.#length
      const isComplete = Number.isNaN(declaredLength) || length === declaredLength
      this.finish(isComplete ? null : new RefusedError(400, 'Request body size did not match Content-Length'))
    })
    payload.on('error', fail)
    payload.on('close', fail)
    // A stream that a hook has put in place of the request may not notice that the client has gone.
    if (payload !== raw) raw.on('close', () => { if (!raw.readableEnded) fail() })
    payload.resume()
  }

  #add (chunk: Buffer, encodedLength: number): void {
    if (!unfinished.has(this)) return
    const length = this.#length + chunk.length
    if (Math.max(length, encodedLength) > this.#limit) return this.finish(new RefusedError(413, 'Request body is too large'))
    if (this.#length === 0) this.#hold(chunk) // most bodies are one chunk
    else {
      if (length > this.#bytes.length) {
        const bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, firstCapacity), this.#limit))
        this.#bytes.copy(bytes)
        this.#hold(bytes)
      }
      chunk.copy(this.#bytes, this.#length)
    }
    this.#length = length
  }

  /** The bytes that the body holds. Over the bound the largest body is refused, so large bodies cannot keep small ones out. */
  #hold (bytes: Buffer): void {
    held += bytes.length - this.#bytes.length
    this.#bytes = bytes
    if (held <= Math.max(maxHeld, this.#limit)) return
    let largest: Body = this // eslint-disable-line @typescript-eslint/no-this-alias
    for (const body of unfinished) if (body.#bytes.length > largest.#bytes.length) largest = body
    largest.finish(new RefusedError(503, 'Service Unavailable: too many request bodies at a time, try again later',
      { 'retry-after': retryAfter }))
  }

  finish (error: Error | null): void {
    if (!unfinished.delete(this)) return
    const bytes = this.#bytes.subarray(0, this.#length)
    held -= this.#bytes.length
    this.#bytes = nothing
    this.#done(error, bytes)
  }
}

/**
 * Request bodies are JSON in UTF-8. Other types and compression are refused with 415; bytes that are not UTF-8 with 400,
 * where Fastify would replace them with U+FFFD and we would sign a text that nobody sent. So are bodies with more
 * arrays, objects and commas than any request has, since they take much more time than their size says.
 *
 * Fastify's own parser makes JSON of them, and refuses `__proto__` and `constructor.prototype`.
 */
export default fp<JsonBodyOptions>(async function jsonBody (app, { bodyLimit, keepText }) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('bodyText', '')

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { 'content-encoding': encoding, 'content-length': declaredLength } = request.headers
    if (encoding !== undefined) {
      return done(new RefusedError(415, 'Unsupported Media Type: send the body without Content-Encoding'))
    }
    if (Number(declaredLength) > bodyLimit) return done(new RefusedError(413, 'Request body is too large'))
    new Body(bodyLimit, (error, bytes) => {
      if (error !== null) return done(error)
      if (!isUtf8(bytes as Buffer)) return done(new RefusedError(400, 'Request body is not valid UTF-8'))
      const text = (bytes as Buffer).toString()
      if (hasMoreValues(text, maxValues)) {
        return done(new RefusedError(400, `Request body has more than ${maxValues} arrays, objects and commas`))
      }
      if (keepText) request.bodyText = text
      parseJson(request, text, (error, value) => {
        const isEmpty = (error as FastifyError | null)?.code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
        // With older versions of Fastify the message cites the body, which may hold the token.
        done(error && !isEmpty ? new RefusedError(400, notJson) : error, value)
      })
    }).read(payload, request.raw, Number(declaredLength))
  })
}, { name: 'json-body' })
