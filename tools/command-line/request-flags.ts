import { fields } from '../../src/scheme/fields.js'

const flagOf = (field: string): string => field.replace(/[A-Z]+/g, capitals => `-${capitals.toLowerCase()}`)

/** The field of each flag: all fields of a request (specification 2.1) but the token. */
const fieldOfFlag = Object.fromEntries(fields.filter(field => field !== 'merchantToken').map(field => [flagOf(field), field]))

/** For `parse`. */
export const fieldOptions = Object.fromEntries(Object.keys(fieldOfFlag).map(flag => [flag, { type: 'string' } as const]))

/** Returns the fields that were given by flags, as text. */
export function fieldsIn (values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldOfFlag).flatMap(([flag, field]) => {
    const value = values[flag]
    return value === undefined ? [] : [[field, value as string]]
  }))
}
