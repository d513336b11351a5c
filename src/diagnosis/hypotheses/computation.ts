import type { ComputationHypothesis } from '../hypothesis.js'

const separators = ['|', '-', ':', ',', ' ', ';', '&', '_', '.', '/', '///', '\n', '||', '+']

export const computation: readonly ComputationHypothesis[] = [
  {
    name: 'terms-separated',
    computations: () => separators.flatMap(separator => [false, true].map(skipsEmpty => ({
      computation: { separator, skipsEmpty },
      finding: `The terms were joined with ${JSON.stringify(separator)} between them${skipsEmpty ? ', empty ones left out' : ''}.`
    }))),
    fix: 'Join the terms with nothing between them.'
  },
  {
    name: 'hmac',
    * computations ({ terms: { merchantToken: key } }) {
      yield { computation: { key, tokenInText: false }, finding: 'The digests were HMACs with the token as the key.' }
      yield { computation: { key }, finding: 'The digests were HMACs with the token as the key, and in the text too.' }
    },
    fix: 'Use a plain SHA-256 of the text with the token in it; the scheme has no HMAC.'
  },
  {
    name: 'hashed-twice',
    computations: () => [{ computation: { twice: true }, finding: 'The hexadecimal digest was hashed again.' }],
    fix: 'Hash each text once.'
  },
  {
    name: 'text-encoding',
    computations: ({ terms }) => /^[\0-\x7f]*$/.test(Object.values(terms).join(''))
      ? [{ computation: { encoding: 'utf16le' }, finding: 'The text was hashed as UTF-16, not as UTF-8.' }]
      : [
          { computation: { encoding: 'latin1' }, finding: 'The text was hashed as Latin-1, not as UTF-8.' },
          { computation: { encoding: 'utf16le' }, finding: 'The text was hashed as UTF-16, not as UTF-8.' }
        ],
    fix: 'Hash the UTF-8 bytes of the text, and name the encoding in the call: its default may differ.'
  }
]
