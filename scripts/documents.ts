import { writeFileSync } from 'node:fs'
import { settingsDocuments } from './settings-documents.js'

for (const [path, text] of Object.entries(settingsDocuments)) writeFileSync(path, text)
