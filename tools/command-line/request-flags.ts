import type { Field } from '../../src/scheme/fields.js'

/** A flag for each field of a request (specification 2.1) but the token. */
export const fieldOfFlag = {
  'operation-type': 'operationType',
  amount: 'amount',
  'merchant-account-number': 'merchantAccountNumber',
  'account-number': 'accountNumber',
  'order-id': 'orderId',
  sid: 'sid',
  'client-time-stamp': 'clientTimeStamp',
  'transaction-fcrn': 'transactionFCRN',
  'transaction-id': 'transactionId',
  'id-type': 'idType'
} as const satisfies Record<string, Field>

type Flag = keyof typeof fieldOfFlag

const flags = Object.keys(fieldOfFlag) as Flag[]

const text = { type: 'string' } as const

/** For `parse`. */
export const fieldOptions = Object.fromEntries(flags.map(flag => [flag, text])) as Record<Flag, typeof text>

/** The fields that were given by flags, as text. */
export function fieldsIn (values: { readonly [flag in Flag]?: string | undefined }): Record<string, string> {
  return Object.fromEntries(flags.flatMap(flag => {
    const value = values[flag]
    return value === undefined ? [] : [[fieldOfFlag[flag], value]]
  }))
}
