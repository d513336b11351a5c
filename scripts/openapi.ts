import { writeFile } from 'node:fs/promises'
import { openapiDocument } from './openapi-document.js'

/** Returns JSON in which objects and lists that fit into a line have one. */
function print (value: unknown, indent = ''): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || text.length + indent.length < 100) return text
  const isList = Array.isArray(value)
  const items = Object.entries(value).map(([key, item]) =>
    `${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}${print(item, `${indent}  `)}`)
  return `${isList ? '[' : '{'}\n${items.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}

await writeFile('openapi.json', `${print(await openapiDocument())}\n`)
