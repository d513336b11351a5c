import { transforms } from '../../tools/diagnosis/alternatives.js'
import { wrongComputations } from '../../tools/diagnosis/computation.js'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { rules } from '../../tools/diagnosis/elsewhere.js'
import { wrongLayouts } from '../../tools/diagnosis/layouts.js'
import { wrappings } from '../../tools/diagnosis/parse-signature.js'
import { writers } from '../../tools/diagnosis/writers.js'
import { namedMistakes } from './named-mistakes.js'
import type { Attempt } from './wrong-signatures.js'

/** An entry of the tables, and functions that remove and restore the entry. */
interface Entry {
  readonly name: string
  readonly isNamedBy: (hypothesis: string) => boolean
  readonly remove: () => void
  readonly restore: () => void
}

const isOfKind = (hypothesis: string, name: string, kinds: readonly string[] | undefined): boolean =>
  hypothesis.endsWith(`-${name}`) && (kinds === undefined || kinds.some(kind => hypothesis === `${kind}-${name}`))

/** Rows of a table. */
type Table = ReadonlyArray<readonly [string, ...unknown[]]>

const rowsOf = (table: string, rows: Table): Entry[] => rows.map((row, index) => {
  const array = rows as Array<typeof row>
  const [name] = row
  return {
    name: `${table} ${name}`,
    isNamedBy: hypothesis => hypothesis === name,
    remove: () => array.splice(index, 1),
    restore: () => array.splice(index, 0, row)
  }
})

/** Entries for each cost of each transform. */
const costEntries = transforms.flatMap(([name, , , texts, kinds]) => Object.keys(texts).map((cost): Entry => {
  const table = texts as Record<string, unknown>
  const own = table[cost]
  return {
    name: `transform ${name} at ${cost}`,
    isNamedBy: hypothesis => isOfKind(hypothesis, name, kinds),
    remove: () => { delete table[cost] },
    restore: () => { table[cost] = own }
  }
}))

const layoutEntries = ['term-added', 'terms-of-other-part', 'terms-added-up', 'term-order'].map((name, index): Entry => {
  const array = wrongLayouts as Array<typeof wrongLayouts[number]>
  const row = array[index]!
  return {
    name: `layout ${name}`,
    isNamedBy: hypothesis => hypothesis === name,
    remove: () => array.splice(index, 1),
    restore: () => array.splice(index, 0, row)
  }
})

const rows: readonly Entry[] = [
  ...layoutEntries, ...rowsOf('rule', rules), ...rowsOf('computation', wrongComputations), ...rowsOf('wrapping', wrappings),
  ...rowsOf('writer', writers)
]

/** All entries. Without one of them, another cause is first for some mistake. */
export const entries: readonly Entry[] = [...rows, ...costEntries]

const first = ({ signature, request, options }: Attempt) => {
  const { causes, part1, part2, tries } = diagnose(signature, request, options)
  const isFound = part1 !== 'unexplained' && part2 !== 'unexplained'
  return { names: isFound ? causes[0]?.changes.map(({ hypothesis }) => hypothesis) ?? [] : [], tries }
}

/** The first attempt of each mistake. */
const firstAttempts = namedMistakes.flatMap(mistake =>
  [...mistake.attempts.values()].slice(0, 1).map(attempt => ({ mistake, attempt })))

const found = firstAttempts.flatMap(({ mistake, attempt }) => {
  const { names, tries } = first(attempt)
  return names.length === 0 ? [] : [{ mistake, attempt, names, tries }]
}).toSorted((one, other) => one.tries - other.tries)

/** Returns a mistake with another first cause if an entry is removed, or undefined. */
export function mistakeOf ({ isNamedBy, remove, restore }: Entry): string | undefined {
  remove()
  try {
    const named = found.filter(({ names }) => names.some(isNamedBy))
    return named.find(({ attempt, names }) => first(attempt).names.join() !== names.join())?.mistake.what
  } finally {
    restore()
  }
}
