import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'

export const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { $id: 'ErrorResponse' })
export type ErrorResponse = Static<typeof ErrorResponse>

/** A response, or a request body, with titled examples for the API reference. */
export const documented = (schema: TSchema, examples: Record<string, object>) => ({
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(Object.entries(examples).map(([title, value]) => [title, { value }]))
    }
  }
})

/** An error response, with titled messages; `headers` are those that it has, and what they say. */
export function refused (description: string, messages: Record<string, string>, headers: Record<string, string> = {}) {
  const examples = Object.entries(messages).map(([title, error]) => [title, { error }])
  return {
    description,
    ...documented(ErrorResponse, Object.fromEntries(examples)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, description]) =>
      [name, { description, type: 'string' }]))
  }
}
