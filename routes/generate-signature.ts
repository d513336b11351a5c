import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { bodyOf, isOver, refuse } from '../src/http/error-response.js'
import { deciderOf, type DecideSettings } from '../src/signing/decide.js'
import { acceptJson } from '../src/signing/json-body.js'
import { repeatedRefusals } from '../src/telemetry/repeated-refusals.js'
import { schema as serviceSchema } from './generate-signature.schema.js'

/** Options of the signing route. */
export type GenerateSignatureOptions = DecideSettings & {
  /** Schema that documents the route and does not validate requests. Default: the schema of the service. */
  schema?: object
  /** Fastify's `config` of the route. */
  config?: object
  /** Path of the route. */
  path: string
  /** True: the log has a line for each refusal, as in the service. */
  logRefusals: boolean
}

/** Registers the signing endpoint (specification 4.1), with its own parser and its own errors. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { schema = serviceSchema, config = {}, path, bodyLimit, logRefusals } = options
  const { arrive, decide, refused } = await deciderOf(app, options)
  const isRepeated = logRefusals ? app.isRepeated : repeatedRefusals(app)

  // Without a reason to wait it responds at once: a fetch request with an endless or cut body needs the response now.
  function errorHandler (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (isOver(reply)) return undefined
    const refusal = refuse(error, request, reply, isRepeated, logRefusals)
    const recorded = refused(request, refusal)
    if (typeof recorded === 'boolean') {
      reply.send(bodyOf(refusal, reply))
      return undefined
    }
    return recorded.then(() => isOver(reply) ? undefined : bodyOf(refusal, reply))
  }

  app.decorateRequest('signingAsked', null)
  acceptJson(app, options)
  app.addHook('onRequest', (request, _reply, done) => done(arrive(request)))
  // Accepts all bodies, which the handler judges. A host's compiler could convert or drop fields.
  app.post(path, { bodyLimit, config, schema, errorHandler, validatorCompiler: () => () => true }, decide)
}

export default generateSignature
