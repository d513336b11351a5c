import leven from 'leven'

/** The one of some names that was probably meant, if any is near. */
export function nearest (word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map(name => ({ name, distance: leven(word.slice(0, 40), name) }))
    .filter(({ name, distance }) => distance <= Math.min(2, name.length / 2))
    .sort((a, b) => a.distance - b.distance)
  return best?.name
}
