import type { Commands } from '../../src/command-line/command.js'

/** All commands, in the order of `--help`. */
export const commands: Commands = {
  serve: { summary: 'run the service', load: () => import('../../src/command-line/serve.js') },
  sign: { summary: 'print the signature of a request', load: () => import('./sign.js') },
  verify: { summary: 'check a signature against a request', load: () => import('./verify.js') },
  explain: { summary: 'show how a signature is made', load: () => import('./explain.js') },
  diagnose: { summary: 'find the mistake behind a signature', load: () => import('./diagnose.js') },
  kcv: { summary: 'print the key check value of the token', load: () => import('./kcv.js') },
  doctor: { summary: 'check a running service', load: () => import('./doctor.js') },
  healthcheck: { summary: 'exit with 0 if the service is healthy', load: () => import('../../src/command-line/healthcheck.js') },
  policy: { summary: 'check a policy file', load: () => import('../../src/command-line/policy-check.js') },
  conformance: { summary: 'test another implementation', load: () => import('./conformance.js') },
  completion: { summary: 'have bash, zsh or fish complete commands and options', load: () => import('./completion.js') },
  version: { summary: 'print the version', load: () => import('./version.js') }
}
