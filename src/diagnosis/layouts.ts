import type { Reason } from './alternatives.js'
import type { Context, TermName } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { foreignTexts, order } from './elsewhere.js'
import type { Part } from './scenarios.js'

/** The terms of a part in some order, with a text that may stand among them and belongs to no term. */
export interface Layout {
  readonly cost: number
  readonly pieces: ReadonlyArray<TermName | { readonly text: string }>
  readonly changes: readonly Change[]
}

export const titles: Readonly<Record<Part, string>> = { part1: 'part 1', part2: 'part 2' }

export const ownLayout = (names: readonly TermName[]): Layout => ({ cost: 0, pieces: names, changes: [] })

/** The ways to arrange a part, its own first. */
export function layoutsOf (part: Part, context: Context, names: readonly TermName[]): Layout[] {
  const own = ownLayout(names)
  const places = names.map(name => `before ${name}`).with(0, 'at its start').concat('at its end')
  const added = foreignTexts(context).flatMap(([name, text]) => places.map((place, index): Layout => {
    const finding = `Part ${part === 'part1' ? 1 : 2} had ${name} ${place} too.`
    return { cost: 6, pieces: own.pieces.toSpliced(index, 0, { text }), changes: [change('term-added', finding, order)] }
  }).reverse())
  const moved = names.flatMap((name, from) => names.flatMap((_name, to): Layout[] => {
    const pieces = names.toSpliced(from, 1).toSpliced(to, 0, name)
    const finding = `The terms of ${titles[part]} were joined in the order ${pieces.join(', ')}.`
    return from === to ? [] : [{ cost: 6, pieces, changes: [change('term-order', finding, order)] }]
  }))
  return [own, ...added, ...moved]
}

const permutationsOf = <Item>(items: readonly Item[]): Item[][] => items.length === 0
  ? [[]]
  : items.flatMap((item, index) => permutationsOf(items.toSpliced(index, 1)).map(rest => [item, ...rest]))

/** The text of a part with its terms in any order. */
export function reorderings (names: readonly TermName[], texts: readonly string[]): Reason[] {
  return permutationsOf([...names.keys()]).map(indexes => ({
    name: 'term-order',
    says: `its terms were joined in the order ${indexes.map(index => names[index]).join(', ')}`,
    fix: order,
    cost: 7, // where one was moved, that has been tried before
    texts: () => [indexes.map(index => texts[index]).join('')],
    isSecret: false
  }))
}
