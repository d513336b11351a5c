import { assertArgument } from './errors.js'
import type { Variant } from './request.js'
import { Reader, type Rules, type Signer } from './signer.js'
import { VariantA, rulesA } from './variant-a.js'
import { VariantB, rulesB } from './variant-b.js'

export { VariantA, VariantB, type Variant }

/** Rules, reader and signer of each variant by its letter (specification, part 9). Only the signer needs a token. */
const variants = {
  A: { rules: rulesA, reader: new Reader(rulesA), Signer: VariantA },
  B: { rules: rulesB, reader: new Reader(rulesB), Signer: VariantB }
} satisfies Record<Variant, unknown>

export const variantNames = Object.keys(variants) as Variant[]

export const isVariant = (name: unknown): name is Variant => variantNames.includes(name as Variant)

/** Returns the rules of a variant. */
export const rulesOf = (variant: Variant): Rules => variants[variant].rules

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
  return variants[variant].reader
}

/**
 * Returns the signer of a variant.
 *
 * @throws UsageError `ERR_MERCHANT_TOKEN`
 */
export const signerOf = (variant: Variant, merchantToken: string): Signer => new variants[variant].Signer(merchantToken)
