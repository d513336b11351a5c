import type { Transform } from '../transform.js'

/** What stands for a value that is not there, in the languages that make it. */
const absentTexts = [
  '', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '%!s(<nil>)'
]

/** Absent values, and what is taken for one. */
export const absent: readonly Transform[] = [
  ['absent', 'an absent value was written differently, or a given one was left out',
    'Sign an absent value as an empty text (in the order term of variant A: as the text null), and a given one as it is.', {
      3: text => absentTexts.includes(text) ? absentTexts : [],
      4: () => [''],
      6: text => absentTexts.includes(text) ? ['0', '0.00', '0.0', '""', 'none'] : absentTexts,
      7: () => ['0', '0.00', '00000000-0000-0000-0000-000000000000']
    }]
]
