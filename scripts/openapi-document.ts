import { fastifySwagger } from '@fastify/swagger'
import { createApp } from '../src/embed.js'
import { version } from '../src/version.js'

const info = {
  title: 'Payment signature backend',
  version,
  description: 'Signs payment requests with a merchant\'s secret token.\n\n' +
    'Every error of a request that reaches the service is JSON of the form `{"error":"…"}` and nothing else. The header ' +
    '`Error-Code` names the error for programs. An unknown path gets 404, a known one with the wrong method 405 and an ' +
    '`Allow` header, a URL that cannot be decoded 400. Preflights (`OPTIONS`) get 204 on every path. Every other response ' +
    'has `X-Request-Id`, the request\'s id in the log.',
  contact: { name: 'The maintainers of payment-signature-backend' },
  license: { name: 'MIT', identifier: 'MIT' }
}

const servers = [{ url: '/', description: 'The service that serves this document' }]
const tags = [
  { name: 'Signing', description: 'Signatures of payment requests' },
  { name: 'Probes', description: 'For load balancers and orchestrators' }
]

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the policy (POLICY_FILE), where there is one' }
} as const

/** Returns the OpenAPI document of the routes of the service. */
export async function openapiDocument (): Promise<object> {
  const app = createApp({ config: { MERCHANT_TOKEN: 'no-token-in-documents' }, logger: false })
  // The plugin is called, and not registered: a registered one would load after the routes.
  const openapi = { openapi: '3.1.0', info, servers, tags, security: [], components: { securitySchemes } }
  fastifySwagger(app, { openapi, hideUntagged: true }, () => {})
  await app.ready()

  // Each schema is defined once, under its title.
  const schemas: Record<string, object> = {}
  const document = JSON.parse(JSON.stringify(app.swagger()), (key, value) => {
    if (key !== 'schema' || value.title === undefined) return value
    const { title, ...schema } = value
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  })
  await app.close()
  return { ...document, components: { ...document.components, schemas } }
}
