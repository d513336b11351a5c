import fp from 'fastify-plugin'
import { messages } from '../../src/service/messages.js'
import { RefusedError } from '../../src/service/refused-error.js'
import { frameworkErrors } from './error-handler.js'

/** Unknown paths (404), and known ones with the wrong method (405), which Fastify would answer with 404 too. */
export default fp(async function notFound (app) {
  const allMethods = new Set<string>()
  app.addHook('onRoute', ({ method }) => {
    for (const one of [method].flat()) allMethods.add(one)
  })

  // The hook below answers all others: older versions of Fastify call this handler for a malformed URL.
  app.setNotFoundHandler(frameworkErrors.bind(undefined, new RefusedError('http-invalid', messages.urlMalformed)))

  // In the first hook after CORS, so that a body that would be refused too does not hide it.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const preflights = app.corsHeaders === undefined ? [] : ['OPTIONS']
    const [path = ''] = request.url.split(/[?#]/, 1)
    // By the router, to which a percent-encoded or absolute URL is the same.
    const methods = [...allMethods].filter(method => app.findRoute({ method, url: request.url }) !== null)
    const target = `${request.method} ${path}`
    if (methods.length === 0) {
      return done(new RefusedError('not-found', `Not Found: ${target}`, {}, app.isRepeated(request, 404, 'Not Found')))
    }
    done(new RefusedError('method-not-allowed', `Method Not Allowed: ${target}`,
      { allow: [...methods, ...preflights].join(', ') }, app.isRepeated(request, 405, 'Method Not Allowed')))
  })
}, { name: 'not-found', dependencies: ['error-handler'] })
