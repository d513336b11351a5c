import type { TermHypothesis, TermName } from '../hypothesis.js'

const emptyTexts = ['', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false']

const texts: readonly TermName[] = ['clientTimeStamp', 'sid', 'amount', 'referenceNumber', 'orderIdOrNull', 'accountNumber']

/** What happens to every kind of text. */
export const anyText: readonly TermHypothesis[] = [
  {
    name: 'trimmed',
    terms: texts,
    texts: text => [text.trim(), text.trimStart(), text.trimEnd(), text.replace(/\s+/g, '')],
    says: 'white space was removed',
    fix: 'Send the field without white space around it, or sign it as it is sent.'
  },
  {
    name: 'white-space-added',
    terms: texts,
    texts: text => text === '' ? [' '] : [`${text} `, ` ${text}`, `${text}\n`, `${text}\r\n`, `${text}\t`, `${text}\u00a0`, `\ufeff${text}`],
    says: 'white space was added',
    fix: 'Find out where the white space comes from (a template, a file, a copied cell) and remove it before signing.'
  },
  {
    name: 'empty-text',
    terms: texts,
    texts: () => emptyTexts,
    says: 'an absent value was written differently, or a given one was left out',
    fix: 'Sign an absent value as an empty text (in the order term of variant A: as the text null), and a given one as it is.',
    alone: 'term'
  },
  {
    name: 'quoted',
    terms: texts,
    texts: text => text === '' ? ['""'] : [`"${text}"`, `'${text}'`, text.replace(/^(["'])(.*)\1$/s, '$2')],
    says: 'quotes were added or removed',
    fix: 'Join the texts themselves, not their JSON: without quotes around them.'
  }
]
