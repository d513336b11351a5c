import type { Command } from './command.js'

/** A line of `--help`, and a function that loads the command: no command loads the files of another one. */
type Listed = readonly [summary: string, load: () => Promise<unknown>]

/** All commands, in the order of `--help`. */
export const commands: Readonly<Record<string, Listed>> = {
  serve: ['run the service', async () => (await import('./serve-command.js')).command],
  sign: ['print the signature of a request', async () => (await import('./sign-command.js')).command],
  verify: ['check a signature against a request', async () => (await import('./verify-command.js')).command],
  explain: ['show how a signature is made', async () => (await import('./explain-command.js')).command],
  diagnose: ['find the mistake behind a signature', async () => (await import('./diagnose-command.js')).command],
  kcv: ['print the key check value of the token', async () => (await import('./kcv-command.js')).command],
  doctor: ['check a running service', async () => (await import('./doctor-command.js')).command],
  key: ['make an API key and its entry in the policy', async () => (await import('./key-command.js')).command],
  policy: ['check a policy, and requests against it', async () => (await import('./policy-command.js')).command]
}

/** Loads a command of the table. */
export const load = async (name: string): Promise<Command> => await commands[name]![1]() as Command
