// The build bundles TypeBox into this file: its hundreds of small files take a quarter of the service's start.
import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

export { Type }
export type { Static, TSchema } from '@sinclair/typebox'

/** Name of a caller or a merchant, which log and audit contain. */
export const nameSchema = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$', description: '1 to 64 ASCII letters, digits, points, - and _'
})

/** Returns the first 20 faults of a file. More are of no use, and a large file has a million. */
export function firstFaults (faults: Iterable<string>): string[] {
  const first = new Set<string>()
  for (const fault of faults) if (first.add(fault).size === 20) break
  return [...first]
}

function * mismatches (schema: TSchema, value: unknown, name: string): Generator<string> {
  for (const { path, message, schema: { description } } of Value.Errors(schema, value)) {
    const place = path === '' ? name : path.slice(1).replaceAll('/', '.')
    yield message === 'Unexpected property' ? `${place} is not known` : `${place} must be ${description}`
  }
}

/**
 * Returns a line for each of the first places of a value that do not match a schema, whose descriptions complete
 * "PLACE must be …". The lines contain keys of the value, and no other text of it.
 *
 * @param name - name of the whole value
 */
export const schemaFaults = (schema: TSchema, value: unknown, name: string): string[] =>
  firstFaults(mismatches(schema, value, name))
