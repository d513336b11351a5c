import type { SignatureRequest } from '../../scheme/request.js'
import type { DiagnoseOptions } from '../diagnosis.js'
import type { TermHypothesis } from '../hypothesis.js'

/** Tokens that only this call knows: the configured one, and those of the option. */
export function otherToken (
  request: SignatureRequest, { merchantToken = '', otherTokens = {} }: DiagnoseOptions
): TermHypothesis[] {
  const others = Object.entries(otherTokens).map(([name, text]) => ({ text, says: `was the one named ${name}` }))
  return [
    {
      name: 'token-of-request',
      terms: ['merchantToken'],
      texts: () => request.merchantToken ? [merchantToken] : [],
      says: 'was the configured one, not the one in the request',
      fix: 'Leave merchantToken out of the request, or sign with it on both sides.'
    },
    {
      name: 'token-other',
      terms: ['merchantToken'],
      texts: () => others,
      says: 'was another one',
      fix: 'Use the token of the same environment on both sides; compare the key check values.'
    }
  ]
}
