import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { InvalidRequestError, SigningError } from '../src/scheme/errors.js'
import { requestOf } from '../src/scheme/reading.js'
import type { Reading } from '../src/scheme/reading.js'
import { signsReadings } from '../src/scheme/signer.js'
import type { Signer } from '../src/scheme/signer.js'
import { schema } from './generate-signature.schema.js'

export interface GenerateSignatureOptions {
  /** What signs the next request, which is for this account number. */
  signer: (accountNumber: string) => Signer | Promise<Signer>
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

/** Signs with a custom signer, which gets the fields that were read as a request. */
async function signElsewhere (signer: Signer, reading: Reading): Promise<string> {
  let signature: unknown // The signer may be plain JavaScript.
  try {
    signature = await signer.sign(requestOf(reading))
  } catch (thrown) {
    throw failureOf(thrown)
  }
  if (typeof signature !== 'string') throw new TypeError('sign returned no string')
  return signature
}

/** Signs what was read. Our own signers are synchronous. */
function respond (request: FastifyRequest, signer: Signer): SignatureResponse | Promise<SignatureResponse> {
  const reading = request.signingReading as Reading
  const responseWith = (signature: string): SignatureResponse => {
    request.signingSucceeded = true
    return { signature }
  }
  return signsReadings(signer)
    ? responseWith(signer.signReading(reading))
    : signElsewhere(signer, reading).then(responseWith)
}

/** The signing endpoint (specification 4.1). What it signs has been read, and judged, by plugins/signing. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { signer: signerOf, path = '/api/generate-signature', bodyLimit } = options

  // An app that embeds this may compile schemas in its own way.
  const compilers = { validatorCompiler: () => () => true, serializerCompiler: () => JSON.stringify }
  app.post(path, { bodyLimit, schema, ...compilers }, (request: FastifyRequest) => {
    const signer = signerOf((request.signingReading as Reading).accountNumber.toWellFormed())
    return signer instanceof Promise ? signer.then(signer => respond(request, signer)) : respond(request, signer)
  })
}

export default generateSignature
