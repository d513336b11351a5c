import { writeFile } from 'node:fs/promises'
import { openapiDocument } from './openapi-document.js'

await writeFile('openapi.json', `${JSON.stringify(await openapiDocument(), null, 2)}\n`)
