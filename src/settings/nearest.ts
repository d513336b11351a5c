import leven from 'leven'

const sorted = (word: string): string => [...word].sort().join('')

function isNear (given: string, other: string): boolean {
  const distance = leven(given, other)
  return distance <= (other.length < 9 ? 1 : 2) || (distance === 2 && sorted(given) === sorted(other))
}

/**
 * Returns the name that a misspelt word probably means. The name differs in one letter, in two letters if it has at
 * least nine, or in two letters that changed places. Case-insensitive.
 */
export const nearest = (word: string, names: readonly string[]): string | undefined =>
  names.find(name => isNear(word.slice(0, 40).toLowerCase(), name.toLowerCase()))
