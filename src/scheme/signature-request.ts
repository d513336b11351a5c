import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/**
 * The fields of a signature request (specification 2.1).
 *
 * The JSON types say what a client should send. The static types are `unknown`, because the scheme is defined for
 * whatever a client does send: each variant turns the values into text by its own rules, and nothing before it may
 * coerce, default, trim or drop a field.
 */
const field = (type: 'string' | 'integer', description: string, example: string | number) =>
  Type.Unsafe<unknown>({ type, description, examples: [example] })

export const SignatureRequest = Type.Object({
  operationType: Type.Optional(field('string',
    'Variant A: purchase, refund, void or inquiry, in any case; anything else is signed as a purchase. ' +
    'Variant B does not read it.', 'purchase')),
  amount: Type.Optional(field('string',
    'Amount as decimal text. The exact characters are hashed: 100.00 and 100 give different signatures.', '100.00')),
  merchantAccountNumber: Type.Optional(field('string',
    'Merchant account number. One of merchantAccountNumber and accountNumber is required; this one wins.', '102551')),
  accountNumber: Type.Optional(field('string', 'Another name for merchantAccountNumber.', '102551')),
  orderId: Type.Optional(field('string', 'Order id.', 'ORDER-12345')),
  sid: field('string',
    'Session id made by the client; the payment request must carry the same one. ' +
    'Variant A: any text that is not blank. Variant B: a UUID version 4.', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'),
  clientTimeStamp: field('integer',
    'Client time in epoch milliseconds; the payment request must carry the same one.', 1709912345678),
  merchantToken: Type.Optional(field('string',
    'Used instead of the configured token when not empty. Leave it out: the token belongs on the backend.', '')),
  transactionFCRN: Type.Optional(field('string',
    'Variant A, refund and void: reference of the original transaction.', '987654')),
  transactionId: Type.Optional(field('string', 'Variant A, inquiry: the identifier to look up.', 'ORDER-12345')),
  idType: Type.Optional(field('string',
    'Variant A, inquiry: ORDER_ID, in any case, says that transactionId is an order id.', 'ORDER_ID'))
}, { $id: 'SignatureRequest' })

export type SignatureRequest = Static<typeof SignatureRequest>
