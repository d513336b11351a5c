export function median (values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** How many times as fast: the costs of `other` by those of `one`, round by round, as median and range. */
export function timesAsFast (one, other) {
  const ratios = one.map((cost, round) => other[round] / cost)
  return { ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

/** The list, begun somewhere else in each round, so that nothing is always measured after the same one. */
export function rotated (list, round) {
  const first = round * 7 % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}
