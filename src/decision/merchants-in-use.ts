import type { FastifyInstance } from 'fastify'
import type { Variants } from '../scheme/variants.js'
import type { Merchants, Requirements } from '../token/merchants-file.js'
import { signingWith, type Signing, type SigningOf } from './signing.js'
import { watchFile } from './watch-file.js'

/** The merchants in use. Both functions follow the file. */
interface MerchantsInUse {
  readonly content: () => Merchants
  readonly signingOf: SigningOf
}

/**
 * Loads a file of merchants, and again when it changes.
 *
 * @param interval - in which the file is read again, in milliseconds
 * @throws TokenError `ERR_TOKEN`: the file cannot be used
 */
export async function merchantsInUse (
  app: FastifyInstance, path: string, requirements: Requirements, variants: Variants, interval?: number
): Promise<MerchantsInUse> {
  const { readMerchants } = await import('../token/merchants-file.js') // the schema checker is slow to load
  let current: Merchants | undefined
  let accounts: ReadonlyMap<string, Signing>
  async function use (): Promise<boolean> {
    const next = await readMerchants(path, requirements, current)
    if (next === undefined) return false
    current = next
    accounts = new Map(next.entries.flatMap(({ name, token, variant, accountNumbers }) => {
      const signing = signingWith(new variants[variant](token), token, name)
      return accountNumbers.map(number => [number, signing] as const)
    }))
    return true
  }
  await use()
  watchFile(app, requirements.setting, use, interval)
  return { content: () => current as Merchants, signingOf: account => accounts.get(account) }
}
