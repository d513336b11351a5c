import type { Transform } from '../transform.js'

/** Texts of an absent value in several languages. */
const absentTexts = [
  '', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '%!s(<nil>)'
]

/** Absent values that are written as another text. */
export const absent: readonly Transform[] = [
  ['absent', 'an absent value was written as another text, or a value was left out',
    'Sign an absent value as an empty text (in the order term of variant A: as the text null), and each other value unchanged.', {
      3: text => absentTexts.includes(text) ? absentTexts : [],
      4: () => [''],
      6: text => absentTexts.includes(text) ? ['0', '0.00', '0.0', '""', 'none'] : absentTexts,
      7: () => ['0', '0.00', '00000000-0000-0000-0000-000000000000']
    }]
]
