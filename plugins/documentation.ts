import createError from '@fastify/error'
import fp from 'fastify-plugin'
import type { GeneratedDocument } from '../routes/openapi-document.js'
import type { Environment } from '../src/service/configuration.js'

const NotFoundError = createError('ERR_NOT_FOUND', 'Not Found: %s %s', 404)

const isOn = ({ DOCS, NODE_ENV }: Environment): boolean => DOCS === '' ? NODE_ENV !== 'production' : DOCS === 'true'

/** For the pages alone, in place of the policy of all other answers: they run scripts, and ask the service. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

/** The API reference: a page at `/documentation`, and the OpenAPI document at `/documentation/json`. */
export default fp(async function documentation (app) {
  if (!isOn(app.config)) return
  const { fastifySwagger } = await import('@fastify/swagger') // these take time to load
  const { fastifySwaggerUi } = await import('@fastify/swagger-ui')
  const { info, securitySchemes, tags } = await import('../routes/reference.js')
  const { completed } = await import('../routes/openapi-document.js')
  await app.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info, tags, components: { securitySchemes } },
    transformObject: document => completed((document as { openapiObject: GeneratedDocument }).openapiObject)
  })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/documentation',
    staticCSP: contentSecurityPolicy,
    theme: { title: info.title },
    uiConfig: { layout: 'BaseLayout', defaultModelsExpandDepth: 0 } // no bar that would open other documents
  })
  // Other unknown paths do not get here; files that the page lacks do.
  app.setNotFoundHandler(({ method, url }) => { throw new NotFoundError(method, url.split(/[?#]/, 1)[0]) })
}, { name: 'documentation', dependencies: ['env', 'errors'] })
