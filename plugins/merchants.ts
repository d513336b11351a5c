import fp from 'fastify-plugin'
import type { GuardSettings } from '../src/signing/options.js'
import type { Modes } from '../src/settings/modes.js'
import type { Merchants } from '../src/token/merchants-in-use.js'
import { watchFile } from '../src/process/watched-file.js'
import type { MerchantToken } from '../src/token/merchant-token.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The merchants of MERCHANTS_FILE or of the option `merchants`; undefined without a file. */
    signingMerchants?: Merchants
  }
}

type MerchantsOptions = GuardSettings & { path: string, setting: string, modes: Modes, token?: MerchantToken }

/**
 * Loads a file of merchants, and again when it changes.
 *
 * Options: `path` of the file, empty without merchants; `setting`, the name of the path in messages; `token`, which
 * gets source and key check value of the tokens, and redacts them.
 */
export default fp<MerchantsOptions>(async function merchantsPlugin (app, { path, setting, modes, token, ...options }) {
  if (path === '') return
  const { Merchants } = await import('../src/token/merchants-in-use.js') // lazily: the schema checker is slow to load
  const merchants = new Merchants({ ...options, path, setting, isStrict: modes.refusesAmbiguity }, app.log, token)
  const { state, read, use } = merchants
  await use(await read())
  app.decorate('signingMerchants', merchants)
  await watchFile(app, { path, setting, name: 'file of the merchants', state, read, use },
    ['payment_signature_merchants_reloads_total', 'Readings of the file of the merchants.'], options)
}, { name: 'merchants', fastify: '5.x' })
