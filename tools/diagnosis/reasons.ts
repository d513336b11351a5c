import type { Explanation, Kind, Transform } from './transform.js'
import { absent } from './transforms/absent.js'
import { anotherValue } from './transforms/another-value.js'
import { encoding } from './transforms/encoding.js'
import { number } from './transforms/number.js'
import { text } from './transforms/text.js'
import { time } from './transforms/time.js'
import { token } from './transforms/token.js'

/** All transforms. */
const transforms: readonly Transform[] =
  [...absent, ...number, ...time, ...token, ...text, ...encoding, ...anotherValue]

/** A reason why other texts may stand for a text. */
export interface Reason extends Explanation {
  readonly cost: number
  readonly texts: (text: string) => Iterable<string>
  /** True if the texts contain the token. */
  readonly isSecret: boolean
}

/** Returns the reasons that apply to a text of a kind. */
export const reasonsOf = (kind: Kind, text: string): Reason[] => transforms.flatMap((
  [name, says, fix, texts, kinds]
) => {
  // The text of an absent field has nothing to format or to decorate.
  if (kinds?.includes(kind) === false || (text === '' && name !== 'absent')) return []
  return Object.entries(texts).map(([cost, texts]) =>
    ({ name: `${kind}-${name}`, kind, says, fix, cost: Number(cost), texts, isSecret: false }))
})

/** True for common changes that turn one ordinary value into another. */
export const isUnit = ({ name }: Reason): boolean => /-(?:minor-units|time-zone|other-request|another-value)$/.test(name)
