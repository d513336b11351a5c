import type { Caller, Policy } from '../../src/guard/policy.js'

/** Returns a line for each consequence of a policy that its author may not expect. */
export function policyNotes ({ callers }: Policy): string[] {
  const isAnyone = ({ anonymous, operations }: Caller): boolean =>
    anonymous === true && operations.some(operation => operation === 'refund' || operation === 'void')
  const isLister = ({ operations }: Caller): boolean => operations.includes('inquiry-without-id') || operations.includes('clear-cache')
  const isHalf = ({ operations }: Caller): boolean => operations.includes('inquiry') && !operations.includes('void')
  return [
    ...callers.filter(isAnyone).map(({ name }) => `caller "${name}" may have refunds or voids signed: so may everybody ` +
      'who reaches the service, unless AUTHORIZE_URL refuses'),
    ...callers.filter(isLister).map(({ name, anonymous }) => `caller "${name}" may inquire without a transactionId, and clear the ` +
      'cache, which has the same signature: the dates are not signed, so one such signature lists any period of the account' +
      (anonymous ? '; so may everybody who reaches the service, unless AUTHORIZE_URL refuses' : '')),
    ...callers.filter(isHalf).map(({ name }) => `caller "${name}" may inquire but not void: its inquiries by a transactionId ` +
      'of digits only, by FCRN or ORDER_ID, get 403, since their signatures are also those of voids; those by CORRUID, or ' +
      'by an order id with a letter, - or _, are signed')
  ]
}
