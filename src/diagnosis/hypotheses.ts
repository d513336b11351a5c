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

/** Everything that is tried. Of two that come to the same text the first is named first. */
export const termHypotheses: readonly TermHypothesis[] = [
  ...reference, ...amount, ...clientTimeStamp, ...sid, ...accountNumber, ...merchantToken, ...anyText, ...identifier
]
export const derivationHypotheses: readonly DerivationHypothesis[] = derivation
export const computationHypotheses: readonly ComputationHypothesis[] = computation
