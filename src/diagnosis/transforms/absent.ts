import type { Transform } from '../transform.js'

/** What stands for a value that is not there, in the languages that make it. */
const absentTexts = ['', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '[object Object]', 'N/A', '{}', '[]', 'Array']

const fix = 'Sign an absent value as an empty text (in the order term of variant A: as the text null), and a given one as it is.'

const isAbsent = (text: string): boolean => absentTexts.includes(text)

/** Absent values, and what is taken for one. */
export const absent: readonly Transform[] = [
  {
    name: 'absent',
    cost: 3,
    texts: text => isAbsent(text) ? absentTexts : [],
    says: 'an absent value was written differently',
    fix
  },
  {
    name: 'absent',
    cost: 4,
    texts: () => [''],
    says: 'it was left out',
    fix
  },
  {
    name: 'absent',
    cost: 6,
    texts: text => isAbsent(text) ? ['0', '0.00', '0.0', '""', ' ', '-', 'none', 'true'] : absentTexts,
    says: 'another text stood for an absent value',
    fix
  },
  {
    name: 'absent',
    cost: 7,
    texts: text => ['0', '1', '0.00', '00000000-0000-0000-0000-000000000000', 'test', text + text],
    says: 'a text that only fills the place was signed',
    fix
  }
]
