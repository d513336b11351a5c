import type { Variant } from '../../src/scheme/variants.js'
import { checkMerchants, readMerchantFiles } from '../../src/token/merchants-file.js'

/** A merchant of a file. */
export interface Merchant {
  readonly name: string
  readonly accountNumbers: readonly string[]
  readonly token: string
  readonly variant: Variant
}

/**
 * Reads a file of merchants as the service does.
 *
 * @throws TokenError the message has a line for each fault, without a token
 */
export async function readMerchants (
  path: string, setting: string, rules: { readonly isStrict: boolean, readonly accountNumberDigits: number }
): Promise<Merchant[]> {
  const { merchants } = await checkMerchants(await readMerchantFiles({ path, setting }), { path, setting, ...rules })
  return merchants.map(({ token, ...merchant }) => ({ ...merchant, token: token() }))
}
