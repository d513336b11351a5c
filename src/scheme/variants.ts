import { UsageError } from './errors.js'
import type { Field } from './fields.js'
import { VariantA } from './variant-a.js'
import { VariantB } from './variant-b.js'
import { noToken, type VariantSigner } from './variant.js'

/** The variants of the scheme by their letters (specification, part 9). */
const variants = { A: VariantA, B: VariantB } as const

/** Letter of a variant. */
export type Variant = keyof typeof variants

export const variantNames = Object.keys(variants) as Variant[]

export const isVariant = (name: unknown): name is Variant => variantNames.includes(name as Variant)

/** @throws UsageError `ERR_VARIANT` */
export function assertVariant (name: unknown): asserts name is Variant {
  if (!isVariant(name)) throw new UsageError('ERR_VARIANT', `variant must be ${variantNames.map(name => `"${name}"`).join(' or ')}`)
}

const readers = new Map<Variant, VariantSigner>(variantNames.map(name => [name, new variants[name](noToken)]))

/**
 * Returns a variant that reads requests and does not sign.
 *
 * @throws UsageError `ERR_VARIANT`
 *
 * @example
 * fieldsOf(readerOf('A').read(request)).amount // '100.00'
 */
export function readerOf (variant: Variant): VariantSigner {
  assertVariant(variant)
  return readers.get(variant)!
}

/**
 * Returns the signer of a variant.
 *
 * @throws UsageError `ERR_VARIANT`, `ERR_MERCHANT_TOKEN`
 */
export function signerOf (variant: Variant, merchantToken: string): VariantSigner {
  assertVariant(variant)
  return new variants[variant](merchantToken)
}

/** Returns the operations that use a field, such as `refund, void of variant A`, or `variant B` for all of them. */
export function usersOf (field: Field): string {
  const users = [...readers.values()].flatMap(({ variant, operations }) => {
    const names = Object.keys(operations).filter(name => operations[name]!.uses.has(field))
    if (names.length === 0) return []
    return names.length === Object.keys(operations).length ? `variant ${variant}` : `${names.join(', ')} of variant ${variant}`
  })
  return users.join('; ')
}
