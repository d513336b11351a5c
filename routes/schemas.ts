import { Type, type TSchema } from '@sinclair/typebox'

export const ErrorResponse = Type.Object({
  error: Type.String({ description: 'what is wrong, for people' })
}, { title: 'ErrorResponse' })

/** Examples as the API reference wants them, by their titles. */
export const titled = (examples: Record<string, object>): object =>
  Object.fromEntries(Object.entries(examples).map(([title, value]) => [title, { value }]))

/** A response with examples. */
export const response = <Schema extends TSchema>(
  description: string, schema: Schema, examples: Record<string, object>
) => ({ description, content: { 'application/json': { schema, examples: titled(examples) } } })

/** An error response, with messages by their titles; `headers` are those that it has, and what they say. */
export function refused (
  description: string, messages: Record<string, string>, headers: Record<string, string> = {}
) {
  const examples = Object.entries(messages).map(([title, error]) => [title, { error }])
  const schemas = Object.entries(headers).map(([name, description]) => [name, { description, type: 'string' }])
  return {
    ...response(description, ErrorResponse, Object.fromEntries(examples)),
    ...schemas.length > 0 && { headers: Object.fromEntries(schemas) }
  }
}
