export function median (values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * How many of the lowest and of the highest values can go so that the true median still is between the rest with a
 * probability of 95 %: each value is above it or below, as a coin falls (David and Nagaraja, Order Statistics, 7.1).
 * None of fewer than nine can.
 */
function trimmed (count) {
  let dropped = 0
  let term = 0.5 ** count
  for (let tail = term; tail <= 0.025; tail += term) {
    dropped++
    term *= (count - dropped + 1) / dropped
  }
  return Math.max(0, dropped - 1)
}

/** How many times as fast: the costs of `other` by those of `one` in the same round, as median and its interval. */
export function timesAsFast (one, other) {
  const ratios = one.map((cost, round) => other[round] / cost).sort((a, b) => a - b)
  const dropped = trimmed(ratios.length)
  return { ratio: median(ratios), low: ratios[dropped], high: ratios.at(-1 - dropped) }
}

/** Whether a ratio can be told from the noise: their intervals do not meet, nor is 1 in it. */
export const isBeyond = (noise, { low, high }) => low > Math.max(1, noise.high) || high < Math.min(1, noise.low)
