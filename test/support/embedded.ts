import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import { createHandler, type Handler, type HandlerOptions } from '../../src/embed.js'
import { token } from './app.js'
import { root, type Scope } from './server.js'

interface Recipe { signingRoute: FastifyPluginAsync<{ handler: Handler<FastifyRequest>, path?: string }> }

/** Plugin of the example for Fastify and NestJS. */
const { signingRoute } = await import(pathToFileURL(join(root, 'examples/frameworks/fastify-route.mjs')).href) as Recipe

/** Returns a Fastify app with the signing route of the example. */
export function embedded (
  t: Scope, options: Partial<HandlerOptions<FastifyRequest>> = {}, path?: string
): FastifyInstance {
  const app: FastifyInstance = Fastify()
  const config = { NODE_ENV: 'test', MERCHANT_TOKEN: token }
  const handler = createHandler<FastifyRequest>({
    config, clientAddress: (_request, { ip }) => ip, logger: false, ...options
  })
  t.teardown(async () => {
    await app.close()
    await handler.close()
  })
  app.register(signingRoute, { handler, ...path !== undefined && { path } })
  return app
}
