import { createRequire } from 'node:module'

/** The version of this package. The path is that from `dist/src`. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
