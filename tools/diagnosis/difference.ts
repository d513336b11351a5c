/** Returns the indices of the first differing character of two texts, and of the ends of the differing parts. */
export function difference (one: string, other: string): { start: number, ends: [one: number, other: number] } {
  const [left, right] = [[...one], [...other]]
  let start = 0
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start++
  let same = 0
  while (same < Math.min(left.length, right.length) - start && left.at(-1 - same) === right.at(-1 - same)) same++
  return { start, ends: [left.length - same, right.length - same] }
}
