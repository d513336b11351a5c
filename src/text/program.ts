import { createRequire } from 'node:module'

/** The version of this package. */
export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/**
 * Returns `payment-signature` as the user can call it, for commands to copy. When npm runs the program, it is usually
 * not on the path of the user's shell.
 */
export const programName = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env.npm_command === 'exec' ? 'npx --no -- payment-signature' : 'payment-signature'
