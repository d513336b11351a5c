/** How many characters have to be added, left out or replaced to get from one word to another. */
function distance (from: string, to: string): number {
  let row = [...Array(to.length + 1).keys()]
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[to.length]!
}

/** The one of some names that was probably meant, if any is near. */
export function nearest (word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map(name => ({ name, far: distance(word.slice(0, 40), name) }))
    .filter(({ name, far }) => far <= Math.min(2, name.length / 2))
    .sort((a, b) => a.far - b.far)
  return best?.name
}
