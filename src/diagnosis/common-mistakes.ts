import { accountNumber } from './hypotheses/account-number.js'
import { amount } from './hypotheses/amount.js'
import { anyText } from './hypotheses/any-text.js'
import { clientTimeStamp } from './hypotheses/client-time-stamp.js'
import { computation } from './hypotheses/computation.js'
import { derivation } from './hypotheses/derivation.js'
import { identifier } from './hypotheses/identifier.js'
import { merchantToken } from './hypotheses/merchant-token.js'
import { reference } from './hypotheses/reference.js'
import { sid } from './hypotheses/sid.js'
import type { ComputationHypothesis, DerivationHypothesis, TermHypothesis } from './hypothesis.js'

/** What is tried for every request. Of two that come to the same text the first is named first. */
export const commonMistakes: {
  readonly terms: readonly TermHypothesis[]
  readonly derivations: readonly DerivationHypothesis[]
  readonly computations: readonly ComputationHypothesis[]
} = {
  terms: [
    ...reference, ...amount, ...clientTimeStamp, ...sid, ...accountNumber, ...merchantToken, ...anyText, ...identifier
  ],
  derivations: derivation,
  computations: computation
}
