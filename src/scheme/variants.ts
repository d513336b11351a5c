import { assertArgument } from './errors.js'
import { Reader, type Rules, type Signer } from './signer.js'
import { VariantA, variantA } from './variant-a.js'
import { VariantB, variantB } from './variant-b.js'

export { VariantA, VariantB }

/** The variants of the scheme by their letters (specification, part 9). */
const variants = { A: VariantA, B: VariantB } as const

/** Letter of a variant. */
export type Variant = keyof typeof variants

export const variantNames = Object.keys(variants) as Variant[]

export const isVariant = (name: unknown): name is Variant => variantNames.includes(name as Variant)

const rules = { A: variantA, B: variantB }

const readers = { A: new Reader(variantA), B: new Reader(variantB) }

/** Returns the rules of a variant. */
export const rulesOf = (variant: Variant): Rules => rules[variant]

/**
 * Returns the reader of a variant.
 *
 * @throws UsageError `ERR_VARIANT`
 *
 * @example
 * fieldsOf(readerOf('A').read(request)).amount // '100.00'
 */
export function readerOf (variant: Variant): Reader {
  assertArgument(isVariant(variant), 'ERR_VARIANT')
  return readers[variant]
}

/**
 * Returns the signer of a variant.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 */
export const signerOf = (variant: Variant, merchantToken: string): Signer => new variants[variant](merchantToken)
