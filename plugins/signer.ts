import fp from 'fastify-plugin'
import { loadMerchantToken } from '../src/merchant-token.js'
import type { Signer } from '../src/signer.js'
import { VariantA } from '../src/variant-a.js'
import { VariantB } from '../src/variant-b.js'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Signer
    /** Where the token came from, for the start log. */
    tokenSource: string
  }
}

export interface SignerOptions {
  /** Signs instead of the configured variant; no token is then read from the configuration. */
  signer?: Signer | undefined
}

/** What the routes sign with. */
export default fp<SignerOptions>(async function signer (app, { signer }) {
  if (signer !== undefined) {
    app.decorate('signer', signer)
    app.decorate('tokenSource', 'an injected signer')
    return
  }
  const token = loadMerchantToken(app.config)
  const isVariantB = app.config.VARIANT.toUpperCase() === 'B'
  app.decorate<Signer>('signer', isVariantB ? new VariantB(token.text) : new VariantA(token.text))
  app.decorate('tokenSource', token.source)
}, { name: 'signer', dependencies: ['env'] })
