import type { Command } from './command.js'

/** A line of `--help`, and a function that loads the command: no command loads the files of another one. */
type Listed = readonly [summary: string, load: () => Promise<unknown>]

/** All commands, in the order of `--help`. */
export const commands: Readonly<Record<string, Listed>> = {
  init: ['make the files for a shop behind nginx', async () => (await import('./init-command.js')).command],
  serve: ['run the service, or check its configuration', async () => (await import('./serve-command.js')).command],
  'new-key': ['make an API key and its entry in the policy', async () => (await import('./new-key-command.js')).command],
  'check-policy': ['check a policy, and a request against it', async () => (await import('./check-policy-command.js')).command],
  doctor: ['check a running service from outside', async () => (await import('./doctor-command.js')).command],
  sign: ['print the signature of a request', async () => (await import('./sign-command.js')).command],
  explain: ['show how a signature is made', async () => (await import('./explain-command.js')).command],
  diagnose: ['check a signature, and find the mistake behind a wrong one', async () => (await import('./diagnose-command.js')).command]
}

/** Loads a command of the table. */
export const load = async (name: string): Promise<Command> => await commands[name]![1]() as Command
