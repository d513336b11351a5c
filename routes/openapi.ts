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

/** Returns the document with the request that a configuration accepts, and the examples of its variant. */
function documentFor (variant: Variant, config: Environment, document: any): object {
  const { ACCEPT_BODY_TOKEN: acceptBodyToken, ACCOUNT_NUMBER_DIGITS: accountNumberDigits } = config
  const isStrict = refusesAmbiguity(optionsOf(config))
  const accepted = { variants: [variant], isStrict, acceptBodyToken, accountNumberDigits }
  document.components.schemas.SignatureRequest = requestSchema(accepted)
  const { requestBody, responses } = document.paths[defaults.path].post
  for (const { content } of [requestBody, responses[200]]) {
    const media: Media = content['application/json']
    media.examples = Object.fromEntries(Object.entries(media.examples)
      .filter(([title]) => variant === (title === 'Variant B' ? 'B' : 'A')))
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
  const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'))
  let text = ''
  app.addHook('onReady', async () => { // the signer is registered later, and its variant is checked
    text = JSON.stringify(documentFor(app.signer.variant as Variant, app.config, document))
  })

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(text))
}

export default openapi
