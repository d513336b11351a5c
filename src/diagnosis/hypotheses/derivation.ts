import { operationOf, operations } from '../../scheme/operation.js'
import type { DerivationHypothesis } from '../hypothesis.js'
import { fieldText } from './field-text.js'

export const derivation: readonly DerivationHypothesis[] = [
  {
    name: 'operation',
    * derivations ({ variant, request }) {
      if (variant === 'B') return
      const own = operationOf(fieldText(request.operationType))
      for (const operation of operations) {
        if (operation === own) continue
        yield {
          variant,
          request: { ...request, operationType: operation },
          finding: `The operation was ${operation}, not ${own}.`
        }
      }
    },
    fix: 'Send operationType as exactly purchase, refund, void or inquiry: anything else is signed as a purchase.'
  },
  {
    name: 'variant',
    * derivations ({ variant, request }) {
      const other = variant === 'A' ? 'B' : 'A'
      yield { variant: other, request, finding: `The variant was ${other}, not ${variant}.` }
      if (other === 'B') return
      for (const operation of operations.slice(1)) { // variant B knows no operation
        yield {
          variant: other,
          request: { ...request, operationType: operation },
          finding: `The variant was A, not B, and the operation ${operation}.`
        }
      }
    },
    fix: 'Set VARIANT to the one that the payment side uses; GET /health says which one a service has.'
  }
]
