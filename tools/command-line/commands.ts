import type { Commands } from '../../src/command-line/command.js'

/** All commands, in the order of `--help`. */
export const commands: Commands = {
  serve: { summary: 'run the service', load: () => import('../../src/command-line/serve-command.js') },
  sign: { summary: 'print the signature of a request', load: () => import('./sign-command.js') },
  verify: { summary: 'check a signature against a request', load: () => import('./verify-command.js') },
  explain: { summary: 'show how a signature is made', load: () => import('./explain-command.js') },
  diagnose: { summary: 'find the mistake behind a signature', load: () => import('./diagnose-command.js') },
  kcv: { summary: 'print the key check value of the token', load: () => import('./kcv-command.js') },
  doctor: { summary: 'check a running service', load: () => import('./doctor-command.js') },
  healthcheck: { summary: 'exit with 0 if the service is healthy', load: () => import('../../src/command-line/healthcheck-command.js') },
  key: { summary: 'make an API key and its entry in the policy', load: () => import('./key-command.js') },
  policy: { summary: 'check a policy, and requests against it', load: () => import('./policy-command.js') },
  conformance: { summary: 'test another implementation', load: () => import('./conformance-command.js') },
  example: { summary: 'serve the example pages', load: () => import('./example-command.js') },
  version: { summary: 'print the version', load: () => import('./version-command.js') }
}
