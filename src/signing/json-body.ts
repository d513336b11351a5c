import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SigningSettings } from './options.js'
import { firstDuplicate, hasMoreValues } from '../text/json-text.js'
import { maxValues, messages } from '../http/messages.js'
import { overloadError, RefusedError } from '../http/refused-error.js'
import { fields } from '../scheme/request.js'
import { attemptOf } from './attempt.js'

const bodyLimit = 102_400

/**
 * Memory limit of all bodies of the process that are being read or wait behind another request, in bytes. Enough for
 * 10,000 bodies of 800 bytes, and small in a process with 128 MiB.
 */
const maxHeld = 8 * 2 ** 20

/** Size of the first buffer into which the chunks of a body are copied, in bytes. */
const firstCapacity = 1024

/** Number of chunks that every body may have, plus one for each 8 bytes. Node.js needs about 2 µs for a chunk. */
const freeChunks = 1024

const nothing = Buffer.alloc(0)

interface Body {
  bytes: Buffer
  finish (error: Error | null): void
}

/** Bodies that are being read, in all apps of the process. */
const unfinished = new Set<Body>()

/** Memory of the unfinished and of the waiting bodies, in bytes. */
let held = 0

/** Lengths of the bodies that were read, in bytes. */
export const bodyLengths = new WeakMap<IncomingMessage, number>()

/** Adds the length of a body that waits behind another request; a negative length when it no longer waits. */
export function holdWaiting (length: number): void {
  held += length
}

/** Replaces the bytes of a body. Above the limit, refuses the largest body: large bodies must not block small ones. */
function hold (body: Body, bytes: Buffer): void {
  held += bytes.length - body.bytes.length
  body.bytes = bytes
  if (bytes === nothing || held <= maxHeld) return
  let largest = body
  for (const other of unfinished) if (other.bytes.length > largest.bytes.length) largest = other
  largest.finish(overloadError(messages.tooManyBodies))
}

/**
 * Reads a body into one buffer: a Buffer takes about 300 bytes, and a chunk can be one byte. The rest of a refused body
 * is discarded.
 */
function readBody (
  { headers, raw }: FastifyRequest, payload: Readable & { receivedEncodedLength?: number },
  done: (error: Error | null, bytes: Buffer) => void
): void {
  const declaredLength = Number(headers['content-length'])
  let length = 0
  let chunks = 0

  function finish (error: Error | null): void {
    if (!unfinished.delete(body)) return
    const { bytes } = body
    hold(body, nothing)
    if (error === null) bodyLengths.set(raw, length)
    done(error, bytes.subarray(0, length))
  }
  function fail (): void {
    if (!unfinished.has(body)) return // streams also emit close after their end
    const { errored } = payload
    // An error with a status is one that a hook of the host has for the client. The text of any other is not for it.
    finish(errored instanceof Error && 'statusCode' in errored ? errored : new RefusedError('body-invalid', messages.bodyIncomplete))
  }
  const tooLarge = () => finish(new RefusedError('body-too-large', messages.bodyTooLarge))

  const body: Body = { bytes: nothing, finish }
  unfinished.add(body)
  const isBeingRead = payload.readableFlowing === true && !payload.destroyed
  if (payload.readableEnded || isBeingRead) return finish(new RefusedError('body-read', messages.bodyRead))
  if (payload.destroyed) return fail() // an earlier hook closed it
  if (declaredLength > bodyLimit) return tooLarge()
  payload.on('data', (data: Buffer | string) => {
    if (!unfinished.has(body)) return
    const chunk = typeof data === 'string' ? Buffer.from(data) : data
    const start = length
    length += chunk.length
    if (Math.max(length, payload.receivedEncodedLength ?? 0) > bodyLimit) return tooLarge()
    chunks++
    if (chunks > freeChunks + length / 8) return finish(new RefusedError('body-invalid', messages.bodyTooManyChunks))
    if (start === 0) return hold(body, chunk) // most bodies are one chunk
    if (length > body.bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * length, firstCapacity), bodyLimit))
      body.bytes.copy(bytes)
      hold(body, bytes)
    }
    chunk.copy(body.bytes, start)
  })
  payload.on('end', () => {
    const isComplete = Number.isNaN(declaredLength) || (payload.receivedEncodedLength ?? length) === declaredLength
    finish(isComplete ? null : new RefusedError('body-invalid', messages.bodyLength))
  })
  payload.on('error', fail)
  payload.on('close', fail)
  // A stream with which a hook replaces the request may not notice that the client has gone.
  if (payload !== raw) raw.on('close', () => { if (!raw.readableEnded) fail() })
}

/**
 * Returns the key for which Fastify's parser refuses valid JSON, because it could change the prototype of an object.
 * Returns undefined for a text that is not JSON.
 */
function prototypeKeyIn (text: string): string | undefined {
  let found = 'constructor.prototype'
  try {
    JSON.parse(text, (key, value) => {
      if (key === '__proto__') found = key
      return value
    })
    return found
  } catch {
    return undefined
  }
}

/** Returns the refusal of a text that Fastify's parser refuses. The parser's message may contain the body. */
export function refusalOf (text: string): RefusedError {
  if (text === '') return new RefusedError('body-invalid', messages.bodyEmpty)
  const key = prototypeKeyIn(text)
  if (key === undefined) return new RefusedError('body-invalid', messages.bodyNotJson)
  return new RefusedError('body-invalid', messages.bodyKey.replace('__proto__', key), {
    'error-code': 'body-invalid; reason=prototype-key'
  })
}

/** Matches a content type with another charset than UTF-8. */
const isOtherCharset = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i

/**
 * Parses request bodies, which must be JSON in UTF-8. Refuses other types and compression with 415. Refuses bytes that
 * are not UTF-8 with 400: Fastify would replace them with U+FFFD, and the signed text would differ from the sent text.
 * Refuses bodies with too many arrays, objects and commas with 400: parsing would be slow for their size.
 *
 * Fastify's JSON parser refuses `__proto__` and `constructor.prototype`.
 */
export function acceptJson (app: FastifyInstance, options: SigningSettings): void {
  const { modes } = options
  const parseJson = app.getDefaultJsonParser('error', 'error')
  let isReported = false

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    if (request.headers['content-encoding'] !== undefined) {
      return done(new RefusedError('content-type', messages.contentEncoding))
    }
    if (isOtherCharset.test(request.headers['content-type'] ?? '')) {
      return done(new RefusedError('content-type', messages.charset))
    }
    readBody(request, payload, (error, bytes) => {
      if (error instanceof RefusedError && error.code === 'body-read' && !isReported) {
        isReported = true
        request.log.error(error.message)
      }
      if (error !== null) return done(error)
      if (!isUtf8(bytes)) return done(new RefusedError('body-invalid', messages.bodyNotUtf8))
      const text = bytes.toString()
      if (hasMoreValues(text, maxValues)) {
        return done(new RefusedError('body-invalid', messages.bodyTooManyValues))
      }
      parseJson(request, text, (error, value) => {
        if (modes.judgesStrictly && !error) attemptOf(request).duplicateField = firstDuplicate(text, fields)
        done(error && refusalOf(text), value)
      })
    })
  })
}
