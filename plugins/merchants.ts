import fp from 'fastify-plugin'
import type { Signers } from '../src/merchants/merchant.js'
import { sourceOf } from '../src/merchants/sources.js'
import type { TokenOf } from '../src/merchants/token-of.js'
import { isReadableByAll } from '../src/merchants/token-file.js'
import { watchFile } from '../src/settings/watch-file.js'

/** Signs with MERCHANT_TOKEN, MERCHANT_TOKEN_FILE, MERCHANTS_FILE or `tokenOf`. A changed file is read again. */
export default fp<{ signers: Signers, tokenOf?: TokenOf | undefined }>(async function merchants (app, options) {
  const { setting, path, load } = sourceOf(app, options.signers, options.tokenOf)
  app.decorate('merchants', (await load())!)
  if (path === '') return
  if (await isReadableByAll(path)) app.log.warn(`${setting} can be read by every user of this machine: chmod o-r`)
  watchFile(app, setting, async () => {
    const read = await load()
    app.merchants = read ?? app.merchants
    return read !== undefined
  })
}, { name: 'merchants', dependencies: ['env', 'metrics'], fastify: '5.x' })
