import type { TermHypothesis } from '../hypothesis.js'

const terms = ['sid'] as const

export const sid: readonly TermHypothesis[] = [
  {
    name: 'sid-case',
    terms,
    texts: text => [text.toLowerCase(), text.toUpperCase()],
    says: 'its letters had a different case',
    fix: 'Use the session id as generated; nothing may change its case.'
  },
  {
    name: 'sid-braces',
    terms,
    texts: text => [`{${text}}`, text.replace(/^\{(.*)\}$/s, '$1'), `(${text})`, `urn:uuid:${text}`, text.replace(/^urn:uuid:/i, '')],
    says: 'braces or a prefix were added or removed',
    fix: 'Use the plain form of the UUID, 36 characters, on both sides.'
  },
  {
    name: 'sid-dashes',
    terms,
    texts: text => [
      text.replaceAll('-', ''),
      text.replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i, '$1-$2-$3-$4-$5'),
      text.replaceAll('-', '_')
    ],
    says: 'its dashes were removed, added or replaced',
    fix: 'Use the session id as generated, with its dashes.'
  }
]
