import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { failureOf } from '../src/http/refused-error.js'
import { isRequest, type Reading } from '../src/scheme/request.js'
import type { Signer } from '../src/scheme/variant.js'
import { schema as serviceSchema, type RequestBody, type RouteSchema, type SignatureResponse } from './generate-signature.schema.js'

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

type SigningRequest = FastifyRequest<{ Body: RequestBody }>

function responseWith (signature: string, request: SigningRequest): SignatureResponse {
  request.signingSucceeded = true
  return { signature }
}

function fail (thrown: unknown): never {
  throw failureOf(thrown)
}

/** Returns the response, or a promise if the signer returns one. */
function sign (signer: Signer, request: SigningRequest): SignatureResponse | Promise<SignatureResponse> {
  let signature
  try {
    signature = signer.signReading(request.signingReading as Reading)
  } catch (thrown) {
    fail(thrown)
  }
  if (typeof signature === 'string') return responseWith(signature, request)
  return Promise.resolve(signature).catch(fail).then((signature: unknown) => {
    if (typeof signature === 'string') return responseWith(signature, request)
    throw new TypeError('signReading returned no string') // a custom signer may have no types
  })
}

/** Registers the signing endpoint (specification 4.1). The plugins in plugins/signing read and check its requests. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { signer: signerOf, schema = serviceSchema, config = {}, path, bodyLimit } = options

  app.withTypeProvider<TypeBoxTypeProvider>().post(path, {
    bodyLimit,
    config,
    schema: schema as RouteSchema,
    // The route's own: a compiler of the host could convert, default or drop fields. The scheme knows their rules.
    validatorCompiler: () => isRequest
  }, request => {
    const signer = signerOf(request)
    return signer instanceof Promise ? signer.then(signer => sign(signer, request)) : sign(signer, request)
  })
}

export default generateSignature
