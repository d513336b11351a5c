import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/**
 * Returns a line for each place of a value that does not match a schema. The descriptions of the schema complete the
 * sentence "PLACE must be …". The lines contain keys of the value, and no other text of the value.
 *
 * @param name - name of the whole value
 */
export function schemaFaults (schema: TSchema, value: unknown, name: string): string[] {
  const faults = [...Value.Errors(schema, value)].map(({ path, message, schema }) => {
    // Additional and missing properties are reported with their own path.
    const place = path === '' ? name : path.slice(1).replaceAll('/', '.')
    const isUnknown = message === 'Unexpected property'
    return isUnknown ? `${place} is not known` : `${place} must be ${schema.description}`
  })
  return [...new Set(faults)]
}
