import type { TermHypothesis } from '../hypothesis.js'
import { fieldText } from './field-text.js'

const terms = ['accountNumber'] as const

export const accountNumber: readonly TermHypothesis[] = [
  {
    name: 'account-number-other-field',
    terms,
    texts: (_text, { request }) =>
      [request.accountNumber, request.merchantAccountNumber].map(fieldText).filter(Boolean),
    says: 'it was taken from the other of accountNumber and merchantAccountNumber',
    fix: 'Send only one of the two fields; merchantAccountNumber takes precedence.'
  },
  {
    name: 'account-number-zeros',
    terms,
    texts: text => [
      text.replace(/^0+(?=.)/, ''), ...Array.from({ length: 20 }, (_, index) => text.padStart(index + 1, '0'))
    ],
    says: 'its leading zeros were different',
    fix: 'Keep the account number as text, with the zeros it was issued with.'
  },
  {
    name: 'account-number-as-number',
    terms,
    texts: text => /^\d+$/.test(text) ? [String(Number(text)), `${Number(text)}.0`, Number(text).toLocaleString('en-US')] : [],
    says: 'it passed through a number',
    fix: 'Keep the account number as text.'
  },
  {
    name: 'account-number-punctuation',
    terms,
    texts: text => [text.replace(/[-\s.]/g, '')],
    says: 'dashes or spaces were removed',
    fix: 'Sign and send the account number in the same form.'
  }
]
