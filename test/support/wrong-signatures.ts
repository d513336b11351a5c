import { createHash } from 'node:crypto'
import type { DiagnoseOptions } from '../../tools/diagnosis/diagnosis.js'
import type { SignatureRequest } from '../../src/scheme/request.js'

/*
 * Wrong signatures. This file has its own implementation of terms, joining and hashing, so that no expected value comes
 * from the tested code.
 */

export const token = 'k7Hq2mZ9pL4xVb8sRt3wYc6d'
export const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
export const time = '1709912345678' // 2024-03-08T15:39:05.678Z

/** The operations of variant A, and variant B. */
const uses = ['purchase', 'refund', 'void', 'inquiry', 'B'] as const

export type Use = typeof uses[number]

type Fields = Record<string, unknown>

const common = { merchantAccountNumber: '102551', sid, clientTimeStamp: 1709912345678 }

export const requests: Readonly<Record<Use, SignatureRequest>> = {
  purchase: { operationType: 'purchase', amount: '1234.50', orderId: 'Order-12', ...common },
  refund: { operationType: 'refund', amount: '1234.50', transactionFCRN: '0098765', ...common },
  void: { operationType: 'void', transactionFCRN: '0098765', ...common },
  inquiry: { operationType: 'inquiry', transactionId: 'Order-12', idType: 'order_id', ...common },
  B: { amount: '1234.50', orderId: 'Order-12', ...common }
}

/** Hashed texts by the shortened names of the specification's terms. */
export interface Texts {
  time: string
  sid: string
  amount: string
  reference: string
  order: string
  token: string
  account: string
}

/** Returns the terms of a request of a use. */
export function textsOf (use: Use, fields: Fields, token: string): Texts {
  const text = (name: string): string => String(fields[name] ?? '')
  const order = text('orderId') || 'null'
  const given = { time: text('clientTimeStamp'), sid: text('sid'), token, account: text('merchantAccountNumber') }
  switch (use) {
    case 'purchase': return { ...given, amount: text('amount'), reference: '', order }
    case 'refund': return { ...given, amount: text('amount'), reference: text('transactionFCRN'), order }
    case 'void': return { ...given, amount: '', reference: text('transactionFCRN'), order }
    case 'inquiry': return { ...given, amount: '', reference: text('transactionId'), order: text('transactionId') }
    case 'B': return { ...given, amount: text('amount'), reference: text('orderId'), order: '' }
  }
}

/** Returns the terms of both parts, in order. Variant B has no order term. */
export const partsOf = ({ time, sid, amount, reference, order, token, account }: Texts): [string[], string[]] =>
  [[time, sid, amount, reference], [time, ...(order === '' ? [] : [order]), token, account, amount, reference]]

export const digest = (data: string | Buffer, algorithm = 'sha256'): string => createHash(algorithm).update(data).digest('hex')

/** Returns a signature with another computation of both parts. */
export const signed = (texts: Texts, sign: (terms: string[]) => string): string => partsOf(texts).map(sign).join('///')

export const signatureOf = (texts: Texts): string => partsOf(texts).map(part => digest(part.join(''))).join('///')

/** Returns the signature of a usual request with some other terms. */
export const signature = (use: Use, other: Partial<Texts> = {}): string =>
  signatureOf({ ...textsOf(use, requests[use], token), ...other })

/** A wrong signature, with the request and the options for diagnose. */
interface Attempt {
  readonly signature: string
  readonly request: SignatureRequest
  readonly options: DiagnoseOptions
}

export interface Mistake {
  /** The expected hypothesis of the first cause: `a|b` is either, `a+b` is both. */
  readonly hypothesis: string
  readonly what: string
  readonly attempts: ReadonlyMap<Use, Attempt>
}

const optionsOf = (use: Use, merchantToken: string): DiagnoseOptions => ({ variant: use === 'B' ? 'B' : 'A', merchantToken })

/** Name of the identifier field in each use. */
const identifiers: Record<Use, string> = {
  purchase: 'orderId', refund: 'transactionFCRN', void: 'transactionFCRN', inquiry: 'transactionId', B: 'orderId'
}

const usesOf: Record<string, readonly Use[]> = { amount: ['purchase', 'refund', 'B'], orderId: ['purchase', 'refund', 'void', 'B'] }

export type Changed = 'clientTimeStamp' | 'sid' | 'amount' | 'merchantAccountNumber' | 'orderId' | 'identifier' | 'token'

const usual: Record<Changed, unknown> = {
  clientTimeStamp: 1709912345678, sid, amount: '1234.50', merchantAccountNumber: '102551', orderId: 'Order-12', identifier: 'Order-12', token
}

/** Returns the attempt with a changed field. Returns undefined if the use does not have the field. */
function attempt (use: Use, changed: Changed, text: string, sent: unknown): Attempt | undefined {
  if (usesOf[changed]?.includes(use) === false) return undefined
  if (changed === 'token') {
    return { signature: signature(use, { token: text }), request: requests[use], options: optionsOf(use, String(sent)) }
  }
  const name = changed === 'identifier' ? identifiers[use] : changed
  const texts = textsOf(use, { ...requests[use], [name]: text }, token)
  return { signature: signatureOf(texts), request: { ...requests[use], [name]: sent }, options: optionsOf(use, token) }
}

const inUses = (make: (use: Use) => Attempt | undefined, some: readonly Use[] = uses): Map<Use, Attempt> =>
  new Map(some.flatMap(use => {
    const made = make(use)
    return made === undefined ? [] : [[use, made]]
  }))

/** Returns a mistake in which another text of a field was hashed, in all uses of the field. */
export const field = (
  hypothesis: string, changed: Changed, hashed: string, sent: unknown = usual[changed]
): Mistake => ({
  hypothesis,
  what: `${changed} ${JSON.stringify(hashed)} for ${JSON.stringify(sent)}`,
  attempts: inUses(use => attempt(use, changed, hashed, sent))
})

/** Returns a mistake in the computation, which `sign` makes from the terms of the usual requests. */
export const made = (
  hypothesis: string, what: string, sign: (texts: Texts, use: Use) => string, some: readonly Use[] = uses,
  other: { request?: Fields, options?: Partial<DiagnoseOptions> } = {}
): Mistake => ({
  hypothesis,
  what,
  attempts: inUses(use => {
    const request = { ...requests[use], ...other.request }
    const signature = sign(textsOf(use, request, token), use)
    return { signature, request, options: { ...optionsOf(use, token), ...other.options } }
  }, some)
})
