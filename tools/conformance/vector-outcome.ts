import type { Vector } from './vectors.js'

/** What an implementation gave for a vector, which should be a signature, or why it gave nothing. */
export type VectorOutcome = { readonly text: string } | { readonly problem: string }

/** Nothing can be said about the implementation: it cannot be run or reached, or does not keep to the protocol. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code = 'ERR_CONFORMANCE'
}

/** What an implementation said about a fault: its first line, cut off, and without the token. */
export function remark (text: string, { token }: Pick<Vector, 'token'>): string {
  const [line = ''] = text.trim().split(/\r?\n/)
  return line.replaceAll(token, '<merchantToken>').slice(0, 200)
}

/** `work` for each item, as many at a time as `limit`; the results are in the order of the items. */
export async function inParallel<Item, Result> (
  items: readonly Item[], limit: number, work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  const rest = items.entries()
  await Promise.all(Array.from({ length: limit }, async () => {
    for (const [index, item] of rest) results[index] = await work(item)
  }))
  return results
}
