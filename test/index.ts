import { runFiles } from './support/run-files.js'

await runFiles(import.meta.dirname, ['plugins', 'src', 'system', 'tools'])
