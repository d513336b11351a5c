import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { applyRefusal, toRefusedError, RefusedError } from '../src/http/refusals.js'

/** Returns the refusal of a request that no route matches, with the methods of its path. The router is not asked. */
function notFound ({ method, url }: FastifyRequest, methods: ReadonlyMap<string, ReadonlySet<string>>): RefusedError {
  const [path = ''] = url.split(/[?#]/, 1)
  const allowed = methods.get(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
  if (allowed === undefined) return new RefusedError('not-found', `Not Found: ${method} ${path}`)
  const headers = { allow: [...allowed].join(', ') }
  return new RefusedError('method-not-allowed', `Method Not Allowed: ${method} ${path}`, { headers })
}

/** Responds to every error with JSON, and to unknown paths and methods with 404 and 405. */
export default fp(async function errors (app) {
  const methods = new Map<string, Set<string>>() // of each path of our routes
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) methods.set(url, new Set([...methods.get(url) ?? [], ...[method].flat(), 'OPTIONS']))
  })
  let isOurs = true
  try {
    app.setNotFoundHandler(async request => { throw notFound(request, methods) })
  } catch (error) { // the app has a handler of its own
    if (!/already set/i.test((error as Error).message)) throw error
    isOurs = false
  }
  // Before the body is read, because the refusal of a body would hide the wrong path.
  app.addHook('onRequest', (request, _reply, done) => {
    done(isOurs && request.is404 && request.server === app ? notFound(request, methods) : undefined)
  })
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.headersSent) return
    const refusal = request.refusal ?? toRefusedError(error, reply.statusCode) // the status may be that of the refusal
    reply.send(applyRefusal(refusal, request, reply))
  })
}, { name: 'errors', dependencies: ['http'], fastify: '5.x' })
