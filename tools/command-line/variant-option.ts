import { CommandError, type Io } from '../../src/command-line/command.js'
import { isVariant, variantNames, type Variant } from '../../src/scheme/variants.js'

export const variantHelp = `  ${`--variant ${variantNames.join('|')}`.padEnd(28)}default: VARIANT, or else A
`

/**
 * Returns the variant of `--variant` or VARIANT. Default: A.
 *
 * @throws CommandError the text is neither A nor B
 */
export function variantOf (values: { readonly variant?: string | undefined }, { env }: Io): Variant {
  const text = (values.variant ?? env.VARIANT ?? 'A').toUpperCase()
  if (isVariant(text)) return text
  throw new CommandError(`${values.variant === undefined ? 'VARIANT' : '--variant'} must be ${variantNames.join(' or ')}`)
}
