import type { TermName } from './context.js'
import { change, type Change } from './diagnosis.js'
import { foreignTexts, order } from './elsewhere.js'
import { namesIn, type Part, type Scenario } from './scenarios.js'

/** The terms of a part in some order. A text that belongs to no term may stand between them. */
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

type Arrange = (part: Part, scenario: Scenario, names: readonly TermName[]) => Layout[]

/**
 * Returns a layout for each other order of the terms. Orders with the same text are one, as with an empty term or two
 * equal terms. Empty terms are not named: the digest does not show their places.
 */
const ordersOf: Arrange = (part, { context: { terms }, cost }, names) => {
  const textOf = (pieces: readonly TermName[]): string => pieces.map(name => terms[name]).join('')
  const orders = new Map(cost > 0 ? [] : permutationsOf(names).map(pieces => [textOf(pieces), pieces]))
  orders.delete(textOf(names))
  return [...orders.values()].map(pieces => {
    const shown = pieces.filter(name => terms[name] !== '')
    const finding = `The terms of ${titles[part]} were joined in the order ${shown.join(', ')}.`
    return { cost: 9, pieces, changes: [change('term-order', finding, order)] }
  })
}

/** Returns layouts with the sum of two adjacent numbers, which + adds in some languages. */
const sumsOf: Arrange = (_part, { context: { terms } }, names) => names.slice(1).flatMap((name, index) => {
  const [one, other] = [terms[names[index]!], terms[name]]
  if (![one, other].every(text => /^\d{1,15}(?:\.\d+)?$/.test(text))) return []
  const finding = `${[names[index]!, name].join(' and ')} were added up as numbers.`
  const fix = 'Convert each term to text before joining them.'
  const pieces = names.toSpliced(index, 2).map((name): Layout['pieces'][number] => name)
    .toSpliced(index, 0, { text: String(Number(one) + Number(other)) })
  return [{ cost: 6, pieces, changes: [change('terms-added-up', finding, fix)] }]
})

/** Returns the layout of the other part, as a copied line has it. */
const otherPart: Arrange = (part, { context }) => {
  const other = part === 'part1' ? 'part2' : 'part1'
  const finding = `${titles[part].replace('p', 'P')} had the terms of ${titles[other]}.`
  return [{ cost: 9, pieces: namesIn(other, context, true), changes: [change('terms-of-other-part', finding, order)] }]
}

/** Wrong arrangements. */
export const wrongLayouts: readonly Arrange[] = [
  // a text that belongs to no term of the part
  (part, { context }, names) => {
    const places = names.map(name => `before ${name}`).with(0, 'at its start').concat('at its end')
    const terms = Object.entries(context.terms) as Array<[TermName, string]>
    // One character, such as the variant, may belong to a term beside it.
    const long = foreignTexts(context).filter(([, text]) => text.length > 1)
    return long.flatMap(([name, text]) => places.flatMap((place, index): Layout[] => {
      const next = names[index] && context.terms[names[index]]
      if (next === '') return [] // the text is also at the next place
      const before = names.slice(0, index).map(name => context.terms[name]).findLast(term => term !== '')
      const where = next === text || before === text ? 'twice' : `${place} too`
      const finding = `Part ${part === 'part1' ? 1 : 2} had ${name} ${where}.`
      const added = terms.find(([, term]) => term === text)?.[0] ?? { text }
      return [{ cost: 6, pieces: names.toSpliced(index, 0, added as TermName), changes: [change('term-added', finding, order)] }]
    }).reverse())
  },
  otherPart,
  sumsOf,
  ordersOf
]

/** Returns the layouts of a part. The first is right. */
export const layoutsOf: Arrange = (part, scenario, names) =>
  [ownLayout(names), ...wrongLayouts.flatMap(arrange => arrange(part, scenario, names))]
