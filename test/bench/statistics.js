export function median (values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Returns the number of values to drop at each end of a sorted list, so that the true median is in the rest with a
 * probability of 95 %. Each value is above or below the true median with the same probability, so that the number of
 * values below it has a binomial distribution (David and Nagaraja, Order Statistics, 7.1). Returns 0 for fewer than
 * nine values.
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

/** Returns the costs of `other` divided by those of `one` in the same round: the median and its interval. */
export function timesAsFast (one, other) {
  const ratios = one.map((cost, round) => other[round] / cost).sort((a, b) => a - b)
  const dropped = trimmed(ratios.length)
  return { ratio: median(ratios), low: ratios[dropped], high: ratios.at(-1 - dropped) }
}

/** True if the interval of a ratio meets neither 1 nor the interval of the noise. */
export const isBeyond = (noise, { low, high }) => low > Math.max(1, noise.high) || high < Math.min(1, noise.low)

/** True for a ratio of a build to itself that shows a machine with other work. */
export const isNoisy = ratio => ratio < 0.95 || ratio > 1.05
