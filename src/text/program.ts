import { createRequire } from 'node:module'

/** The version of this package. */
export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** Loads a program. An older Node.js does not have all that it imports, and its error names only what is missing. */
export const load = <Program>(program: () => Promise<Program>): Promise<Program> => program().catch(error => {
  if (!(error instanceof SyntaxError)) throw error
  process.stderr.write(`payment-signature: Node.js 20.20 or newer is needed; this is ${process.version}\n`)
  process.exit(1)
})
