import { termsIn } from '../../src/scheme/pre-images.js'
import type { Terms } from '../../src/scheme/pre-images.js'
import type { SignatureRequest } from '../../src/scheme/request.js'

/** Part 1's terms, in order. */
export const part1Terms = termsIn.part1

export type Part1Term = typeof part1Terms[number]

/** Part 1's terms, as text. */
export type Part1 = Record<Part1Term, string>

/** What a client may have signed instead of a value, by the mistakes that people make. */
function variationsOf (text: string): string[] {
  return [text, text.trim(), text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC')]
}

function amountsLike (text: string): string[] {
  const number = Number.parseFloat(text.replace(',', '.'))
  if (Number.isNaN(number)) return []
  const cents = String(Math.round(number * 100))
  return [String(number), number.toFixed(1), number.toFixed(2), cents, text.replace(',', '.'), text.replace('.', ',')]
}

function alternativesTo (term: Part1Term, request: SignatureRequest, terms: Terms): string[] {
  const { clientTimeStamp, sid, amount } = terms
  const sent = (...fields: Array<keyof SignatureRequest>) => fields
    .map(field => request[field]).filter(value => typeof value === 'string' || typeof value === 'number').map(String)

  switch (term) {
    case 'clientTimeStamp':
      return [...variationsOf(clientTimeStamp), clientTimeStamp.slice(0, -3), `${clientTimeStamp}000`]
    case 'sid':
      return [...variationsOf(sid), sid.toLowerCase(), sid.toUpperCase(), sid.replaceAll('-', '')]
    case 'amount':
      return [amount, ...sent('amount')].flatMap(text => [...variationsOf(text), ...amountsLike(text)])
    case 'referenceNumber':
      return sent('transactionFCRN', 'transactionId', 'orderId').flatMap(variationsOf)
  }
}

/**
 * What may have been signed instead of a request's terms: itself first, then with one mistake, then with two.
 * Missing values and their texts count as mistakes too.
 */
export function guesses (request: SignatureRequest, terms: Terms): Part1[] {
  const actual = Object.fromEntries(part1Terms.map(term => [term, terms[term]])) as Part1
  const mistakes = part1Terms.flatMap(term => {
    const texts = new Set([...alternativesTo(term, request, terms), '', 'undefined', 'null'])
    texts.delete(actual[term])
    return [...texts].map(text => ({ term, text }))
  })
  const withOne = mistakes.map(({ term, text }) => ({ ...actual, [term]: text }))
  const withTwo = mistakes.flatMap((first, index) => mistakes.slice(index + 1)
    .filter(second => second.term !== first.term)
    .map(second => ({ ...actual, [first.term]: first.text, [second.term]: second.text })))
  return [actual, ...withOne, ...withTwo]
}
