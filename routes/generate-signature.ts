import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { InvalidRequestError, SigningError } from '../src/scheme/errors.js'
import type { Reading } from '../src/scheme/reading.js'
import type { SignatureRequest } from '../src/scheme/request.js'
import { signsReadings } from '../src/scheme/signer.js'
import type { Signer } from '../src/scheme/signer.js'
import { schema } from './generate-signature.schema.js'

export interface GenerateSignatureOptions {
  /** What signs the next request. */
  signer: () => Signer | Promise<Signer>
  /** `/api/generate-signature` (specification 4.1) if not given. */
  path?: string
  /** The largest body, in bytes. */
  bodyLimit: number
}

interface SignatureResponse { readonly signature: string }

/** What a signer of one's own threw, as step 7 of specification 4.1 answers it. */
function failureOf (thrown: unknown): Error {
  if (thrown instanceof SigningError || thrown instanceof InvalidRequestError) return thrown
  const message = thrown instanceof Error ? thrown.message : 'Signing failed'
  return new SigningError('ERR_SIGNING_FAILED', message, { cause: thrown })
}

/** A signer of one's own gets the request as it was sent. */
async function signElsewhere (signer: Signer, request: SignatureRequest): Promise<SignatureResponse> {
  let signature: unknown // it may have no types
  try {
    signature = await signer.sign(request)
  } catch (thrown) {
    throw failureOf(thrown)
  }
  if (typeof signature !== 'string') throw new TypeError('sign returned no string')
  return { signature }
}

/** What was read is signed, without a promise, since nothing has to be waited for. */
function respond (
  signer: Signer, { signingReading, signingRequest }: FastifyRequest
): SignatureResponse | Promise<SignatureResponse> {
  return signsReadings(signer)
    ? { signature: signer.signReading(signingReading as Reading) }
    : signElsewhere(signer, signingRequest as SignatureRequest)
}

/** The signing endpoint (specification 4.1). What it signs has been read, and judged, by plugins/signing. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { signer: signerOf, path = '/api/generate-signature', bodyLimit } = options

  // An app that embeds this may compile schemas in its own way.
  const compilers = { validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify }
  app.post(path, { bodyLimit, schema, ...compilers }, (request: FastifyRequest) => {
    const signer = signerOf()
    return signer instanceof Promise ? signer.then(signer => respond(signer, request)) : respond(signer, request)
  })
}

export default generateSignature
