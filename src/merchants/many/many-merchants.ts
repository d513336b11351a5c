import type { FastifyInstance } from 'fastify'
import { RefusedError } from '../../http/refusals.js'
import { readerOf } from '../../scheme/variants.js'
import { firstFaults } from '../../text/schema.js'
import { merchantWith, unchanged, type Merchant, type Merchants, type Signers } from '../merchant.js'
import { tokenWarnings, type TokenRules } from '../token-rules.js'
import { readMerchants, type MerchantsFile } from './merchants-file.js'

/**
 * The merchant of all accounts that are unknown, or that a caller may not use. Their requests are read as variant A, so
 * that the messages about `sid` do not show which accounts exist.
 */
export const nobody: Merchant = {
  isKnown: false,
  reader: readerOf('A'),
  sign () { throw new RefusedError('account-number-unknown') },
  redact: unchanged
}

/** Returns a function that reads MERCHANTS_FILE. The function returns undefined if its content is in use. */
export function manyMerchants (
  { config, log }: FastifyInstance, signers: Signers, rules: TokenRules
): () => Promise<Merchants | undefined> {
  const { MERCHANTS_FILE: path, ACCOUNT_NUMBER_DIGITS: accountNumberDigits } = config
  let inUse: MerchantsFile | undefined
  return async () => {
    const file = await readMerchants(path, { ...rules, setting: 'MERCHANTS_FILE', accountNumberDigits }, inUse)
    if (file === undefined) return undefined
    inUse = file
    const weak = file.entries.flatMap(({ name, token }) => tokenWarnings(token).map(text => `merchant "${name}": the token ${text}`))
    for (const warning of firstFaults(weak)) log.warn(warning)
    const accounts = new Map(file.entries.flatMap(({ name, token, variant, accountNumbers }) => {
      const merchant = merchantWith(new signers[variant](token), token, name)
      return accountNumbers.map(number => [number, merchant] as const)
    }))
    return {
      merchantOf (account, allowed) {
        const isForbidden = allowed !== undefined && !allowed.includes(account)
        return (isForbidden ? undefined : accounts.get(account)) ?? nobody
      },
      variant: file.variant,
      tokenSource: `MERCHANTS_FILE (${path}), ${file.entries.length} entries`,
      keyCheckValue: file.keyCheckValue
    }
  }
}
