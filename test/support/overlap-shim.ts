export function * overlapping (tokens: readonly string[]): Generator<[token: string, longer: string]> {
  const reversed = (text: string) => [...text].reverse().join('')
  for (const [list, original] of [[tokens, (text: string) => text], [tokens.map(reversed), reversed]] as const) {
    const sorted = [...list].sort()
    for (const [index, text] of sorted.entries()) {
      const next = sorted[index + 1]
      if (next?.startsWith(text)) yield [original(text), original(next)]
    }
  }
}
