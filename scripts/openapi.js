import { writeFile } from 'node:fs/promises'
import { createApp } from '../dist/src/app.js'

// Writes openapi.json, what a service with the default configuration has at /documentation/json.
const app = createApp({ config: { DOCS: 'true' }, logger: false })
await app.ready()
await writeFile('openapi.json', `${JSON.stringify(app.swagger(), null, 2)}\n`)
await app.close()
