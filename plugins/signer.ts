import fp from 'fastify-plugin'
import { keyCheckValue } from '../src/token/key-check-value.js'
import { loadMerchantToken } from '../src/token/merchant-token.js'
import type { MerchantToken } from '../src/token/merchant-token.js'
import type { Signer } from '../src/scheme/signer.js'
import { tokenWarnings } from '../src/token/token-warnings.js'
import { VariantA } from '../src/scheme/variant-a.js'
import { VariantB } from '../src/scheme/variant-b.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Another one when the token has changed: read it anew for each request. */
    signer: Signer
    /** Where the token came from, for the start log. */
    tokenSource: string
    /** The token's fingerprint, for the log; empty with an injected signer. */
    keyCheckValue: string
    /** Signs with `token` from now on; false if that was so already. Null with an injected signer. */
    useToken: ((token: MerchantToken) => boolean) | null
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
    app.decorate('keyCheckValue', '')
    app.decorate('useToken', null)
    return
  }
  const Variant = app.config.VARIANT.toUpperCase() === 'B' ? VariantB : VariantA
  let current = ''

  function useToken ({ text }: MerchantToken): boolean {
    if (text === current) return false
    current = text
    app.redaction.add(text)
    app.signer = new Variant(text)
    app.keyCheckValue = keyCheckValue(text)
    for (const warning of tokenWarnings(text)) app.log.warn(`the merchant token ${warning}`)
    return true
  }

  const token = await loadMerchantToken(app.config)
  app.decorate<Signer>('signer', new Variant(token.text))
  app.decorate('tokenSource', token.source)
  app.decorate('keyCheckValue', '')
  app.decorate('useToken', useToken)
  useToken(token)
}, { name: 'signer', dependencies: ['env'] })
