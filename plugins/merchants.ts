import type { FastifyInstance } from 'fastify'
import type { GuardSettings } from '../src/configuration/guard-options.js'
import { refusesAmbiguity } from '../src/configuration/report-only.js'
import { Merchants } from '../src/merchants/merchants.js'
import { readMerchants, type MerchantsContent } from '../src/merchants/merchants-file.js'
import { slices } from '../src/text/slices.js'
import { reloadCounter, WatchedFile } from '../src/process/watched-file.js'
import { TokenError } from '../src/token/token-file.js'
import type { MerchantToken } from '../src/token/merchant-token.js'

/** Time for which a replaced token is redacted at least, in milliseconds: log lines about it may come late. */
const redactedFor = 60_000

/**
 * Loads a file of merchants, and again when it changes.
 *
 * @param setting - name of the setting or option, for messages
 * @param token - gets source and key check value of the tokens, and redacts them
 * @throws TokenError `ERR_TOKEN`: the file cannot be used
 */
export async function startMerchants (
  app: FastifyInstance, path: string, setting: string, options: GuardSettings, token?: MerchantToken
): Promise<Merchants> {
  const { accountNumberDigits, policyPollInterval, metrics, watchedFiles = [] } = options
  const merchants = new Merchants()
  let content: MerchantsContent | undefined
  let state = ''
  const redacted = new Map<string, number>() // with the time until which a token is redacted
  const requirements = { path, setting, isStrict: refusesAmbiguity(options), accountNumberDigits }
  const read = (flag?: number) => readMerchants(requirements, content?.fingerprint, flag)
  async function use (next: MerchantsContent | undefined): Promise<boolean> {
    if (next === undefined) return false
    const pause = slices()
    await pause()
    const { byAccount, variant, warnings } = next
    const tokens = next.merchants.map(({ token }) => token)
    const faults = merchants.policyFaults(byAccount)
    if (faults.length > 0) throw new TokenError(faults.join('\n'))
    const now = performance.now()
    for (const [token, until] of redacted) {
      await pause()
      if (until > now) redacted.set(token, Math.min(until, now + redactedFor))
      else redacted.delete(token)
    }
    for (const token of tokens) redacted.set(token, Infinity)
    await token?.hideAll([...redacted.keys()], pause)
    content = next
    merchants.byAccount = byAccount
    merchants.variant = variant
    const counted = tokens.length === 1 ? '1 merchant' : `${tokens.length} merchants`
    state = `${counted}, key check value ${next.keyCheckValue}`
    if (token !== undefined) token.source = `${setting} (${path}, ${counted})`
    if (token !== undefined) token.keyCheckValue = next.keyCheckValue
    for (const warning of warnings) app.log.warn(warning)
    return true
  }
  await use(await read())
  const count = await reloadCounter(metrics, 'payment_signature_merchants_reloads_total', 'Readings of the file of the merchants.')
  const file = new WatchedFile({ path, setting, name: 'file of the merchants', state: () => state, read, use, count }, app.log)
  app.addHook('onClose', () => file.close())
  watchedFiles.push(file)
  await file.watch(policyPollInterval)
  return merchants
}
