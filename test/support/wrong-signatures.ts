import { createHash } from 'node:crypto'
import type { DiagnoseOptions } from '../../tools/diagnosis/diagnosis.js'
import type { SignatureRequest } from '../../src/scheme/fields.js'

/*
 * Signatures as people get them wrong. The texts are written out, and derived, joined and hashed here in another way
 * than the code does: so nothing of what is tested is in what is expected.
 */

export const token = 'k7Hq2mZ9pL4xVb8sRt3wYc6d'
export const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
export const time = '1709912345678' // 2024-03-08T15:39:05.678Z

/** The operations of variant A, and variant B. */
export const uses = ['purchase', 'refund', 'void', 'inquiry', 'B'] as const

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

/** What is hashed, by the names of the specification's terms, shortened. */
export interface Texts {
  time: string
  sid: string
  amount: string
  reference: string
  order: string
  token: string
  account: string
}

/** The terms of a request of the kinds above, by hand. */
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

/** The terms of both parts, in order. Variant B has no order term. */
export const partsOf = ({ time, sid, amount, reference, order, token, account }: Texts): [string[], string[]] =>
  [[time, sid, amount, reference], [time, ...(order === '' ? [] : [order]), token, account, amount, reference]]

export const digest = (data: string | Buffer, algorithm = 'sha256'): string => createHash(algorithm).update(data).digest('hex')

/** With something else than the specification's done to both parts. */
export const signed = (texts: Texts, sign: (terms: string[]) => string): string => partsOf(texts).map(sign).join('///')

export const signatureOf = (texts: Texts): string => partsOf(texts).map(part => digest(part.join(''))).join('///')

/** The signature of a usual request, with some terms in another way. */
export const signature = (use: Use, other: Partial<Texts> = {}): string =>
  signatureOf({ ...textsOf(use, requests[use], token), ...other })

/** A signature, and what somebody has who wonders why it is wrong. */
export interface Attempt {
  readonly signature: string
  readonly request: SignatureRequest
  readonly options: DiagnoseOptions
}

export interface Mistake {
  /** The name of the cause that comes first; empty if nobody named it. */
  readonly hypothesis: string
  readonly what: string
  /** What the finding has to name. */
  readonly subject: string
  readonly attempts: ReadonlyMap<Use, Attempt>
  /** The field that was changed, with the text that was hashed and the value that was sent. */
  readonly changed?: readonly [Changed, string, unknown]
  /** What was done to the terms, if nothing else is needed for it. */
  readonly sign?: ((texts: Texts, use: Use) => string) | undefined
}

const optionsOf = (use: Use, merchantToken: string): DiagnoseOptions => ({ variant: use === 'B' ? 'B' : 'A', merchantToken })

/** What a field is called in each use; none where it is not used. */
const identifiers: Record<Use, string> = {
  purchase: 'orderId', refund: 'transactionFCRN', void: 'transactionFCRN', inquiry: 'transactionId', B: 'orderId'
}

const usesOf: Record<string, readonly Use[]> = { amount: ['purchase', 'refund', 'B'], orderId: ['purchase', 'refund', 'void', 'B'] }

export type Changed = 'clientTimeStamp' | 'sid' | 'amount' | 'merchantAccountNumber' | 'orderId' | 'identifier' | 'token'

const usual: Record<Changed, unknown> = {
  clientTimeStamp: 1709912345678, sid, amount: '1234.50', merchantAccountNumber: '102551', orderId: 'Order-12', identifier: 'Order-12', token
}

/** What is sent and hashed when fields are changed, and how that is signed; undefined if the use lacks a field. */
function attempt (
  use: Use, changes: ReadonlyArray<readonly [Changed, string, unknown]>, sign: (texts: Texts, use: Use) => string
): Attempt | undefined {
  let [request, hashed]: Fields[] = [requests[use] as Fields, {}]
  let [sentToken, hashedToken] = [token, token]
  for (const [changed, text, sent] of changes) {
    if (usesOf[changed]?.includes(use) === false) return undefined
    if (changed === 'token') {
      [sentToken, hashedToken] = [String(sent), text]
    } else {
      const name = changed === 'identifier' ? identifiers[use] : changed
      request = { ...request, [name]: sent }
      hashed = { ...hashed, [name]: text }
    }
  }
  const texts = textsOf(use, { ...request, ...hashed }, hashedToken)
  return { signature: sign(texts, use), request: request as SignatureRequest, options: optionsOf(use, sentToken) }
}

const inUses = (make: (use: Use) => Attempt | undefined, some: readonly Use[] = uses): Map<Use, Attempt> =>
  new Map(some.flatMap(use => {
    const made = make(use)
    return made === undefined ? [] : [[use, made]]
  }))

/** What was hashed in a field's place, wherever the field is used. `identifier` is the one that a use has. */
export function field (hypothesis: string, changed: Changed, hashed: string, sent: unknown = usual[changed]): Mistake {
  const change = [changed, hashed, sent] as const
  const subject = changed === 'identifier' ? 'orderId|transactionFCRN|transactionId' : changed
  return {
    hypothesis,
    what: `${changed} ${JSON.stringify(hashed)} for ${JSON.stringify(sent)}`,
    subject,
    attempts: inUses(use => attempt(use, [change], signatureOf)),
    changed: change
  }
}

/** Two mistakes together, in a use that has both; undefined if they concern the same field. */
export function both (one: Mistake, other: Mistake, use: Use): Attempt | undefined {
  if (one.changed?.[0] === other.changed?.[0] || !one.attempts.has(use) || !other.attempts.has(use)) return undefined
  const changes = [one, other].flatMap(({ changed }) => changed === undefined ? [] : [changed])
  const sign = one.sign ?? other.sign ?? (changes.length === 2 ? signatureOf : undefined)
  return sign === undefined || changes.length === 0 ? undefined : attempt(use, changes, sign)
}

/** Anything else: how the signature comes about from the terms of the usual requests. */
export function made (
  hypothesis: string, what: string, sign: (texts: Texts, use: Use) => string, some: readonly Use[] = uses,
  other: { request?: Fields, options?: Partial<DiagnoseOptions> } = {}
): Mistake {
  const attempts = inUses(use => {
    const request = { ...requests[use], ...other.request }
    const signature = sign(textsOf(use, request, token), use)
    return { signature, request, options: { ...optionsOf(use, token), ...other.options } }
  }, some)
  return { hypothesis, what, subject: '', attempts, sign: other.request === undefined && other.options === undefined ? sign : undefined }
}
