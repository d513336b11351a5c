import type { TermName } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { foreignTexts, order } from './elsewhere.js'
import type { Part, Scenario } from './scenarios.js'

/** The terms of a part in some order, with a text that may stand among them and belongs to no term. */
export interface Layout {
  readonly cost: number
  readonly pieces: ReadonlyArray<TermName | { readonly text: string }>
  readonly changes: readonly Change[]
}

export const titles: Readonly<Record<Part, string>> = { part1: 'part 1', part2: 'part 2' }

export const ownLayout = (names: readonly TermName[]): Layout => ({ cost: 0, pieces: names, changes: [] })

const permutationsOf = <Item>(items: readonly Item[]): Item[][] => items.length === 0
  ? [[]]
  : items.flatMap((item, index) => permutationsOf(items.toSpliced(index, 1)).map(rest => [item, ...rest]))

/** The ways to arrange a part, its own first. */
export function layoutsOf (part: Part, { context, cost }: Scenario, names: readonly TermName[]): Layout[] {
  const textOf = (pieces: readonly TermName[]): string => pieces.map(name => context.terms[name]).join('')
  const places = names.map(name => `before ${name}`).with(0, 'at its start').concat('at its end')
  const added = foreignTexts(context).flatMap(([name, text]) => places.map((place, index): Layout => {
    const finding = `Part ${part === 'part1' ? 1 : 2} had ${name} ${place} too.`
    return { cost: 6, pieces: [...names.slice(0, index), { text }, ...names.slice(index)], changes: [change('term-added', finding, order)] }
  }).reverse())
  const moved = names.flatMap((name, from) => names.map((_name, to) => names.toSpliced(from, 1).toSpliced(to, 0, name)))
  const permuted = cost === 0 ? permutationsOf(names) : []
  // By the text, so that it does not count where an empty term stands, or which is which of two that are alike.
  const reordered = new Map([...permuted, ...moved].map((pieces, index): [string, Layout] => {
    const finding = `The terms of ${titles[part]} were joined in the order ${pieces.join(', ')}.`
    const cost = index < permuted.length ? 9 : 6
    return [textOf(pieces), { cost, pieces, changes: [change('term-order', finding, order)] }]
  }))
  reordered.delete(textOf(names))
  return [ownLayout(names), ...added, ...reordered.values()]
}
