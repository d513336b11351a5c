import fp from 'fastify-plugin'
import { messages } from '../../src/http/messages.js'
import { RefusedError } from '../../src/http/refused-error.js'
import { frameworkErrors } from './error-handler.js'

/** Refuses unknown paths with 404 and wrong methods with 405. Fastify would respond to both with 404. */
export default fp(async function notFound (app) {
  // Fastify before 5.12 calls this handler for a malformed URL. The hook below refuses all other requests.
  app.setNotFoundHandler(frameworkErrors.bind(undefined, new RefusedError('http-invalid', messages.urlMalformed)))

  // A hook before the body is read, because the refusal of a body would hide the wrong path.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const preflights = app.corsHeaders === undefined ? [] : ['OPTIONS']
    const [path] = request.url.split(/[?#]/, 1) as [string]
    // The router also recognizes percent-encoded and absolute URLs. The preflights of CORS have a route for every path.
    const methods = app.supportedMethods.filter(method =>
      method !== 'OPTIONS' && app.findRoute({ method, url: request.url }) !== null)
    const target = `${request.method} ${path}`
    if (methods.length === 0) return done(new RefusedError('not-found', `Not Found: ${target}`))
    const allow = [...methods, ...preflights].join(', ')
    done(new RefusedError('method-not-allowed', `Method Not Allowed: ${target}`, { allow }))
  })
}, { name: 'not-found', dependencies: ['error-handler'], fastify: '5.x' })
