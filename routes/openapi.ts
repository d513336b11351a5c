import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'

/** Serves `openapi.json`, which `npm run documents` generates from the schemas of the routes. */
const openapi: FastifyPluginAsync = async function (app) {
  const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8') // from dist/routes
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(text))
}

export default openapi
