import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

export const SignatureResponse = Type.Object({
  signature: Type.String({
    description: 'part1///part2, each part a SHA-256 digest as 64 lowercase hexadecimal digits',
    pattern: '^[0-9a-f]{64}///[0-9a-f]{64}$'
  })
}, { $id: 'SignatureResponse' })
export type SignatureResponse = Static<typeof SignatureResponse>

export const HealthResponse = Type.Object({
  ok: Type.Literal(true),
  service: Type.Literal('payment-signature-backend'),
  variant: Type.Union([Type.Literal('A'), Type.Literal('B')])
}, { $id: 'HealthResponse' })
export type HealthResponse = Static<typeof HealthResponse>

export const ReadyResponse = Type.Object({
  ok: Type.Literal(true)
}, { $id: 'ReadyResponse' })
export type ReadyResponse = Static<typeof ReadyResponse>

export const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { $id: 'ErrorResponse' })
export type ErrorResponse = Static<typeof ErrorResponse>
