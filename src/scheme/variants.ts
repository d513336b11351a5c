import { assertArgument } from './errors.js'
import { VariantA } from './variant-a.js'
import { VariantB } from './variant-b.js'
import { noToken, type VariantSigner } from './signer.js'

export { VariantA, VariantB }

/** The variants of the scheme by their letters (specification, part 9). */
const variants = { A: VariantA, B: VariantB } as const

/** Letter of a variant. */
export type Variant = keyof typeof variants

export const variantNames = Object.keys(variants) as Variant[]

export const isVariant = (name: unknown): name is Variant => variantNames.includes(name as Variant)

const readers = { A: new VariantA(noToken), B: new VariantB(noToken) }

/**
 * Returns a variant that reads requests and does not sign.
 *
 * @throws UsageError `ERR_VARIANT`
 *
 * @example
 * fieldsOf(readerOf('A').read(request)).amount // '100.00'
 */
export function readerOf (variant: Variant): VariantSigner {
  assertArgument(isVariant(variant), 'ERR_VARIANT')
  return readers[variant]
}

/**
 * Returns the signer of a variant.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 */
export const signerOf = (variant: Variant, merchantToken: string): VariantSigner => new variants[variant](merchantToken)
