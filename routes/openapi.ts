import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'

/** Serves `openapi.json` if DOCS allows it. `npm run openapi` generates the file from the schemas in this folder. */
const openapi: FastifyPluginAsync = async function (app) {
  const { DOCS, NODE_ENV } = app.config
  if (DOCS === '' ? NODE_ENV === 'production' : DOCS === 'false') return
  const document = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
}

export default openapi
