import type { Alternative } from './alternatives.js'
import { prefixes } from './context.js'
import type { Context, TermName } from './context.js'
import { change } from './diagnosis.js'
import type { Change } from './diagnosis.js'
import { foreignTexts } from './elsewhere.js'
import type { Part } from './scenarios.js'

/** A text that belongs to no term. */
export interface Extra {
  readonly name: string
  readonly text: string
}

/** The terms of a part in some order, with what else may stand among them. */
export interface Layout {
  readonly cost: number
  readonly pieces: ReadonlyArray<TermName | Extra>
  readonly changes: readonly Change[]
}

const order = 'Part 1: clientTimeStamp, sid, amount, reference. Part 2: clientTimeStamp, order id or null (variant A), token, account number, amount, reference.'
const titles: Readonly<Record<Part, string>> = { part1: 'Part 1', part2: 'Part 2' }

const exactly = 'Hash exactly the text, with nothing before or after it.'
const lineBreak = {
  name: 'a line break',
  transform: 'newline',
  isFirst: false,
  fix: 'Hash exactly the text: echo adds a line break, printf \'%s\' does not.'
}

/** What gets to an end of a text when it goes through a shell, a file or C, and the transform of a term like it. */
const ends = [
  { text: '\n', ...lineBreak },
  { text: '\r\n', ...lineBreak },
  { text: '\0', name: 'a NUL character', transform: 'affix', isFirst: false, fix: exactly },
  { text: '\ufeff', name: 'a byte order mark', transform: 'byte-order-mark', isFirst: true, fix: exactly }
]

function placeOf (names: readonly TermName[], index: number): string {
  return index === 0 ? 'at its start' : index === names.length ? 'at its end' : `before ${String(names[index])}`
}

/**
 * The ways to arrange a part, its own first.
 *
 * @param same - the name of what was too much in the other part, which is likely here too
 */
export function * layoutsOf (
  part: Part, context: Context, names: readonly TermName[], same?: string
): Generator<Layout> {
  yield { cost: 0, pieces: names, changes: [] }
  for (const { text, name, transform, isFirst, fix } of ends) {
    const index = isFirst ? 0 : names.length
    const neighbour = names.filter(name => context.terms[name] !== '').at(isFirst ? 0 : -1) ?? 'sid'
    const finding = `The hashed text had ${name} ${placeOf(names, index)}, or ${context.subjects[neighbour]} had.`
    const changes = name === same ? [] : [change('text-ends', finding, fix, [`${prefixes[neighbour]}-${transform}`])]
    yield { cost: name === same ? 0 : 2, pieces: names.toSpliced(index, 0, { name, text } as never), changes }
  }
  for (const [name, text] of foreignTexts(context)) {
    for (let index = names.length; index >= 0; index--) {
      const finding = `${titles[part]} had ${name} ${placeOf(names, index)} too.`
      yield {
        cost: name === same ? 1 : 6, pieces: names.toSpliced(index, 0, { name, text } as never), changes: [change('term-added', finding, order)]
      }
    }
  }
  for (const [from, term] of names.entries()) {
    for (let to = 0; to < names.length; to++) {
      const pieces = names.toSpliced(from, 1).toSpliced(to, 0, term)
      if (pieces.some((name, index) => name !== names[index])) yield reordered(part, pieces)
    }
  }
}

const reordered = (part: Part, pieces: readonly TermName[]): Layout => {
  const finding = `The terms of ${titles[part].toLowerCase()} were joined in the order ${pieces.join(', ')}.`
  return { cost: 6, pieces, changes: [change('term-order', finding, order)] }
}

function * permutationsOf<Item> (items: readonly Item[]): Generator<Item[]> {
  if (items.length <= 1) return yield [...items]
  for (const [index, item] of items.entries()) {
    for (const rest of permutationsOf(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

/** The texts of a part with its terms in any order. */
export function reorderings (right: Alternative, names: readonly TermName[], texts: readonly string[]): Alternative[] {
  return [...permutationsOf([...names.keys()])].map(indexes => {
    const says = `its terms were joined in the order ${indexes.map(index => names[index]).join(', ')}`
    const text = indexes.map(index => texts[index]).join('')
    return { ...right, text, from: right, reason: { name: 'term-order', says, fix: order, isWhole: true }, changes: 1 }
  })
}
