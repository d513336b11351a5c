import { readFile } from 'node:fs/promises'
import type { FastifyPluginAsync } from 'fastify'
import { refusesAmbiguity } from '../src/configuration/report-only.js'
import { defaults, optionsOf, type Environment } from '../src/configuration/settings.js'
import type { Variant } from '../src/scheme/variants.js'
import { requestSchema } from './generate-signature.schema.js'

/** Media type of a document with the examples of one variant. */
interface Media {
  examples: Record<string, unknown>
}

/** Returns the document with the request that a configuration accepts, and the examples of its variants. */
function documentFor (variants: Variant[], config: Environment, document: any): object {
  const { ACCEPT_BODY_TOKEN: acceptBodyToken, ACCOUNT_NUMBER_DIGITS: accountNumberDigits } = config
  const isStrict = refusesAmbiguity(optionsOf(config))
  const accepted = { variants, isStrict, acceptBodyToken, accountNumberDigits }
  document.components.schemas.SignatureRequest = requestSchema(accepted)
  const { requestBody, responses } = document.paths[defaults.path].post
  for (const { content } of [requestBody, responses[200]]) {
    const media: Media = content['application/json']
    media.examples = Object.fromEntries(Object.entries(media.examples)
      .filter(([title]) => variants.includes(title === 'Variant B' ? 'B' : 'A')))
  }
  return document
}

/**
 * Serves the OpenAPI document if DOCS allows it. `npm run openapi` generates `openapi.json` from the schemas in this
 * folder. The served document follows the configuration.
 */
const openapi: FastifyPluginAsync = async function (app) {
  const { DOCS, NODE_ENV } = app.config
  if (DOCS === '' ? NODE_ENV === 'production' : DOCS === 'false') return
  const template = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
  let documented = ''
  let text = ''

  app.get('/openapi.json', async (_request, reply) => {
    const { variant } = app.signer
    if (variant !== documented) { // the first request, or a file of merchants that was replaced
      text = JSON.stringify(documentFor(variant.split(',') as Variant[], app.config, JSON.parse(template)))
      documented = variant
    }
    return reply.type('application/json').send(text)
  })
}

export default openapi
