import { isDeepStrictEqual } from 'node:util'
import type { DiagnoseOptions } from '../diagnosis.js'
import type { Context, DerivationHypothesis, TermHypothesis, TermName } from '../hypothesis.js'
import { looseTermsOf } from '../loose-terms.js'

type Fields = Readonly<Record<string, unknown>>

const name = 'other-request'
const fix = 'Sign and send the same value: take it from one place.'

/** What becomes of each field in which the other side's request differs: one other text, or several other terms. */
export function otherRequest (
  { variant, request, terms }: Context, { merchantToken = '', otherRequest = request }: DiagnoseOptions
): { terms: TermHypothesis[], derivations: DerivationHypothesis[] } {
  const found = { terms: [] as TermHypothesis[], derivations: [] as DerivationHypothesis[] }
  for (const field of new Set([...Object.keys(request), ...Object.keys(otherRequest)])) {
    const value = (otherRequest as Fields)[field]
    if (isDeepStrictEqual(value, (request as Fields)[field])) continue
    const changed = { ...request, [field]: value }
    const others = looseTermsOf(variant, changed, merchantToken)
    if (others === undefined) continue
    const [term, ...more] = (Object.keys(terms) as TermName[]).filter(term => others[term] !== terms[term])
    if (term === undefined) continue
    if (more.length === 0 && field !== 'operationType') {
      const says = term === 'merchantToken' ? 'was the one in the other request' : `as ${field} is in the other request`
      found.terms.push({ name, terms: [term], texts: () => [others[term]], says, fix })
    } else {
      const finding = `The value of ${field} was that of the other request.`
      found.derivations.push({ name, derivations: () => [{ variant, request: changed, finding }], fix })
    }
  }
  return found
}
