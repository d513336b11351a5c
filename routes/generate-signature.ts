import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { failureOf } from '../src/http/refused-error.js'
import type { Reading } from '../src/scheme/request.js'
import type { Signer } from '../src/scheme/variant.js'
import { schema as serviceSchema, type SignatureResponse } from './generate-signature.schema.js'

/** Options of the signing route. */
export interface GenerateSignatureOptions {
  /** Returns the signer of a request. */
  signer: (request: FastifyRequest) => Signer | Promise<Signer>
  /** Schema that documents the route and does not validate requests. Default: the schema of the service. */
  schema?: object
  /** Fastify's `config` of the route. */
  config?: object
  /** Path of the route. */
  path: string
  /** The largest body, in bytes. */
  bodyLimit: number
}

/** Returns the response. A custom signer may be asynchronous, and may have no types. */
async function sign (signer: Signer, request: FastifyRequest): Promise<SignatureResponse> {
  let signature: unknown
  try {
    signature = await signer.signReading(request.signingReading as Reading)
  } catch (thrown) {
    throw failureOf(thrown)
  }
  if (typeof signature !== 'string' || signature === '') throw new TypeError('signReading returned no text')
  request.signingSucceeded = true
  return { signature }
}

/** Registers the signing endpoint (specification 4.1). The plugins in plugins/signing read and check its requests. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { signer: signerOf, schema = serviceSchema, config = {}, path, bodyLimit } = options

  app.post(path, {
    bodyLimit,
    config,
    schema,
    // Accepts all bodies, which the reader of requests has judged. A host's compiler could convert or drop fields.
    validatorCompiler: () => () => true
  }, async request => sign(await signerOf(request), request))
}

export default generateSignature
