import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { failureOf } from '../src/scheme/errors.js'
import type { Reading } from '../src/scheme/reading.js'
import type { Signer } from '../src/scheme/variant.js'
import { schema } from './generate-signature.schema.js'
import type { SignatureResponse } from './generate-signature.schema.js'

export interface GenerateSignatureOptions {
  /** Returns the signer of the next request, which is for this account number. */
  signer: (accountNumber: string) => Signer | Promise<Signer>
  /** Default: `/api/generate-signature` (specification 4.1). */
  path?: string
  /** The largest body, in bytes. */
  bodyLimit: number
}

async function responseOf (signature: unknown): Promise<SignatureResponse> {
  const text = await Promise.resolve(signature).catch((thrown: unknown) => { throw failureOf(thrown) })
  if (typeof text !== 'string') throw new TypeError('signReading returned no string') // a custom signer may have no types
  return { signature: text }
}

/** Without a promise where the signer returns none: nothing has to be awaited then. */
function sign (signer: Signer, reading: Reading): SignatureResponse | Promise<SignatureResponse> {
  let signature: unknown
  try {
    signature = signer.signReading(reading)
  } catch (thrown) {
    throw failureOf(thrown)
  }
  return typeof signature === 'string' ? { signature } : responseOf(signature)
}

/** The signing endpoint (specification 4.1). The plugins in plugins/signing have read the request and judged it. */
const generateSignature: FastifyPluginAsync<GenerateSignatureOptions> = async function (app, options) {
  const { signer: signerOf, path = '/api/generate-signature', bodyLimit } = options

  // The schema documents requests. It validates none of them.
  const route = { bodyLimit, schema, validatorCompiler: () => () => true }
  app.withTypeProvider<TypeBoxTypeProvider>().post(path, route, request => {
    const reading = request.signingReading as Reading
    const signer = signerOf(reading.accountNumber)
    return signer instanceof Promise ? signer.then(signer => sign(signer, reading)) : sign(signer, reading)
  })
}

export default generateSignature
