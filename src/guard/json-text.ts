/** True if a JSON text has more than `max` arrays, objects and commas: the time to parse it grows with their number. */
export function hasMoreValues (text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) isInString = !isInString // "
    else if (isInString) at += Number(character === 0x5c) // the character after \
    else if (character === 0x2c || character === 0x5b || character === 0x7b) count++ // , [ {
  }
  return count > max
}
