import { runFiles } from '../support/run-files.js'

await runFiles(import.meta.dirname)
