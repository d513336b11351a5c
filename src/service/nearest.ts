import leven from 'leven'

const sorted = (word: string): string => [...word].sort().join('')

function isNear (given: string, other: string): boolean {
  const distance = leven(given, other)
  return distance <= (other.length < 9 ? 1 : 2) || (distance === 2 && sorted(given) === sorted(other))
}

/**
 * Returns the name that was probably meant by a misspelt word: it differs in a letter, in two of a name with at least
 * nine, or in two letters that changed places. Case does not count.
 */
export const nearest = (word: string, names: readonly string[]): string | undefined =>
  names.find(name => isNear(word.slice(0, 40).toLowerCase(), name.toLowerCase()))
