import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'

interface OpenapiOptions {
  isOn: boolean
}

/** The OpenAPI document of the service, as it is: `npm run openapi` makes the file from the schemas in this folder. */
const openapi: FastifyPluginAsync<OpenapiOptions> = async function (app, { isOn }) {
  if (!isOn) return
  const document = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
}

export default openapi
