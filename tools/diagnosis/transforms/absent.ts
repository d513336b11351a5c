import type { Transform } from '../transform.js'

/** Texts of an absent value in several languages. */
const absentTexts = [
  '', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '%!s(<nil>)'
]

const isAbsent = (text: string): boolean => absentTexts.includes(text)

/** Absent values that are written as another text. */
export const absent: readonly Transform[] = [
  ['absent', (_signed, sent) => isAbsent(sent) ? 'an absent value was written as another text' : 'the value was missing where the signature was made',
    (_signed, sent) => isAbsent(sent)
      ? 'Sign an absent value as an empty text; in the order term of variant A as the text null.'
      : 'Check that the value reaches the code that signs: the name of its variable or field, and the order in which they are set.', {
      3: text => absentTexts.includes(text) ? absentTexts : [],
      4: () => [''],
      6: text => absentTexts.includes(text) ? ['0', '0.00', '0.0', '""', 'none'] : absentTexts,
      7: () => ['0', '0.00', '00000000-0000-0000-0000-000000000000']
    }, ['timestamp', 'sid', 'amount', 'identifier', 'account-number']]
]
