import { readFileSync, writeFileSync } from 'node:fs'
import { openapiDocument } from './openapi-document.js'
import { settingsDocuments } from './settings-documents.js'

/** Returns JSON in which objects and lists that fit into a line have one. */
function print (value: unknown, indent = ''): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || text.length + indent.length < 100) return text
  const isList = Array.isArray(value)
  const items = Object.entries(value).map(([key, item]) =>
    `${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}${print(item, `${indent}  `)}`)
  return `${isList ? '[' : '{'}\n${items.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}

/** Returns the client's package.json with version and repository of the main one, where alone they are filled in. */
function clientManifest (): string {
  const [main, client] = ['package.json', 'client/package.json'].map(path => JSON.parse(readFileSync(path, 'utf8')))
  client.version = main.version
  client.repository.url = `git+https://github.com/${main.repository.replace('github:', '')}.git`
  return `${JSON.stringify(client, null, 2)}\n`
}

writeFileSync('client/package.json', clientManifest())
for (const [path, text] of Object.entries(settingsDocuments)) writeFileSync(path, text)
writeFileSync('openapi.json', `${print(await openapiDocument())}\n`)
