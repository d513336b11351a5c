import { parentPort, workerData } from 'node:worker_threads'
import { isFirst, pairsOf } from '../support/diagnosed.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { diagnosed, neighbours, unrelated } from '../support/other-values.js'
import { diagnose } from '../../tools/diagnosis/diagnose.js'

// Diagnoses this worker's share of the pairs and of the other values of diagnose-table.ts.

const { index, count, pairs, others } = workerData as Record<'index' | 'count' | 'pairs' | 'others', number>
const shareOf = <Item>(items: readonly Item[]): Item[] => items.filter((_item, at) => at % count === index)

const named = (changes: ReadonlyArray<{ hypothesis: string }> = []): string =>
  changes.map(({ hypothesis }) => hypothesis).join(' + ') || 'nothing'

const ofPairs = shareOf(pairsOf(namedMistakes, pairs)).map(({ one, other, use, attempt }) => {
  const diagnosis = diagnose(attempt.signature, attempt.request, attempt.options)
  const names = [one, other].map(({ hypothesis, what }) => `${hypothesis} (${what})`).join(' and ')
  return { isFirst: isFirst([one, other], diagnosis), line: `- ${use}: ${names}: ${named(diagnosis.causes[0]?.changes)}` }
})

const ofOthers = shareOf([...neighbours(others), ...unrelated(2 * others)]).map(values => {
  const { diagnosis, ...judgement } = diagnosed(values)
  const { differing, signed, sent } = values
  const what = differing.map(name => `${name} ${signed[name]} for ${sent[name]}`).join(', ')
  return { ...judgement, line: `- ${what}: ${named(diagnosis.causes[0]?.changes)}` }
})

export type Share = { readonly ofPairs: typeof ofPairs, readonly ofOthers: typeof ofOthers }

parentPort!.postMessage({ ofPairs, ofOthers } satisfies Share)
