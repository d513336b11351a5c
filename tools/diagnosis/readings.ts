import { costOfMore, costOfValues, type Alternative } from './alternatives.js'
import type { TermName } from './context.js'
import { at, type Match } from './search.js'
import { costOf, keyOf, textOf, type Shape } from './shapes.js'

/** Returns the name of the hash of a shape. An HMAC is the same with and without the token in the text. */
function hashOf ({ traits }: Shape): string {
  const { hypothesis = '', finding = '' } = traits.find(({ of }) => of === 'hash')?.change ?? {}
  return hypothesis === 'hmac' ? hypothesis : finding
}

/** Another reading of a text may cost this much more than the cheapest; in the shape of the scheme, six more. */
export const maxDistance = 1
const maxDetour = 6

/**
 * Returns the readings of a proved text: all choices of texts for the pieces of a shape that yield the text, the
 * cheapest first.
 */
export function readings (match: Match, shapes: readonly Shape[]): Match[] {
  if (match.cost >= costOfValues) return [match]
  const { text, key, digest } = match
  const found: Match[] = []
  const read = (shape: Shape, chosen: readonly Alternative[], spent: number, changed: number): void => {
    const { pieces, form } = shape
    const limit = match.cost + (shape.cost + match.shape.cost > 0 ? maxDistance : maxDetour)
    const piece = pieces[chosen.length]
    const joined = textOf(shape, chosen).slice(0, piece === undefined ? undefined : -form.after.length || undefined)
    if (piece === undefined ? joined !== text : !text.startsWith(joined)) return
    if (piece === undefined) {
      if (keyOf(shape, chosen) === key) found.push({ shape, chosen, text, key, digest, cost: spent })
      return
    }
    const more = spent > 0 ? costOfMore : 0
    // The change of an earlier term comes first if the costs are equal.
    const most = changed < Math.min(2, shape.maxChanges) ? Math.min(limit - spent - more, costOfValues - 1) : 0
    for (let cost = 1; cost <= most; cost++) {
      for (const one of at(shape, piece, cost)) read(shape, [...chosen, one], spent + more + cost, changed + 1)
    }
    for (const right of at(shape, piece, 0)) read(shape, [...chosen, right], spent, changed)
  }
  for (const shape of shapes) {
    const isNear = shape.cost <= match.cost + maxDistance
    if (isNear && hashOf(shape) === hashOf(match.shape)) read(shape, [], shape.cost, 0)
  }
  return found.toSorted((one, other) => one.cost - other.cost)
}

/** Returns the shapes of the other part after a match: with each difference of that shape, and with its texts. */
export function shapesAfter ({ shape, chosen }: Match, shapes: readonly Shape[]): Shape[] {
  const expected = new Map(shape.traits.filter(({ of }) => of !== 'arrangement').map(({ change, cost }) => [change.finding, cost]))
  // The length of the other digest has shown its algorithm.
  const required = [...expected].filter(([, cost]) => cost > 0).map(([finding]) => finding)
  const known = new Map(shape.pieces.flatMap(({ is }, index) => is === undefined || is === 'sid' || is === 'orderIdOrNull' ? [] : [[is, chosen[index]!] as [TermName, Alternative]]))
  return shapes.flatMap(own => {
    const traits = own.traits.filter(({ change }) => !expected.has(change.finding))
    const hasAll = required.every(finding => own.traits.some(({ change }) => change.finding === finding))
    if (!hasAll || traits.some(({ of }) => of === 'scheme')) return []
    const cost = costOf(traits)
    return [{ ...own, traits, cost, known, maxChanges: cost === 0 ? 3 : own.maxChanges }]
  })
}
