import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import Fastify from 'fastify'
import env from '../plugins/env.js'
import { createApp } from './app.js'
import { secrets, variables } from './settings/settings.js'
import { placeholderFaults } from './settings/variable-warnings.js'
import { visible } from './text/characters.js'

/** Receives the configuration, and on `stderr` warnings and faults. */
type Output = Readonly<Record<'stdout' | 'stderr', Writable>>

/** Masks the secrets of a URL. */
function masked (text: string): string {
  return text.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1[masked]@').replace(/[?#].*$/, '?[masked]')
}

function shown (name: string, value: unknown): string {
  const text = String(value ?? '')
  if (text === '' || !secrets.has(name)) return text
  return name.endsWith('_URL') ? masked(text) : '[set]'
}

/** Returns a fault with the code of the error that a function throws; no fault if it throws none. */
function faultOf (fault: string, use: () => unknown): string[] {
  try {
    use()
    return []
  } catch (error) {
    return [`${fault} (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** Opens the audit file, if it exists. Does not create it: the service may run as another user. */
function openAudit (path: string): void {
  if (existsSync(path)) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  else accessSync(dirname(path), constants.W_OK)
}

/** Loads the configuration. Returns undefined if it has faults. */
async function load () {
  const loader = Fastify()
  loader.register(env, {})
  return loader.ready().then(() => loader, () => undefined)
}

/**
 * Checks configuration, token and policy without listening or connecting. Prints the configuration as lines of a
 * `.env`, with secrets masked.
 *
 * @returns the exit code: 1 if the service would not start, or if a placeholder is left in production
 */
export async function check ({ stdout, stderr }: Output): Promise<0 | 1> {
  const loaded = await load()
  const warnings: string[] = []
  const audits = loaded !== undefined && loaded.config.AUDIT !== 'false'
  const app = createApp({
    // Without a configuration, the app finds the same faults.
    ...loaded && { config: { ...loaded.config, LOG_LEVEL: 'warn', REDIS_URL: '', ...audits && { AUDIT_FILE: '' } } },
    logger: { stream: { write: (line: string) => { warnings.push(JSON.parse(line).msg) } } }
  })
  const faults: string[] = await app.ready().then(() => [], (error: Error) => error.message.split('\n'))
  const { AUDIT_FILE = '', POLICY_FILE = '' } = loaded?.config ?? process.env
  if (audits && AUDIT_FILE !== '') faults.push(...faultOf(`AUDIT_FILE is "${AUDIT_FILE}", which cannot be opened`, () => openAudit(AUDIT_FILE)))
  if (POLICY_FILE !== '' && !faults.some(fault => fault.startsWith('POLICY_FILE is '))) { // an earlier fault may stop the app
    faults.push(...faultOf(`POLICY_FILE is "${POLICY_FILE}", which cannot be read`, () => accessSync(POLICY_FILE, constants.R_OK)))
  }
  if (loaded?.config.NODE_ENV === 'production') {
    faults.push(...placeholderFaults(loaded.config), ...warnings.filter(warning => warning.endsWith('looks like a placeholder')))
  }
  await app.close()

  const { merchantToken, variant } = app
  const print = (stream: Writable, line: string) => stream.write(`${visible(merchantToken.redact(line))}\n`)
  for (const warning of new Set([...loaded?.configurationWarnings ?? [], ...warnings])) {
    if (!faults.includes(warning)) print(stderr, `payment-signature-backend: warning: ${warning}`)
  }
  for (const fault of faults) print(stderr, `payment-signature-backend: ${fault}`)
  if (loaded === undefined || faults.length > 0) return 1

  const effective = { ...loaded.config, STRICT: loaded.modes.judgesStrictly } // a policy implies it
  for (const { name } of variables) print(stdout, `${name}=${shown(name, effective[name])}`)
  print(stdout, `# variant ${variant}, token from ${merchantToken.source}, key check value ${merchantToken.keyCheckValue}`)
  return 0
}

/**
 * Runs the server's only argument, `--check`.
 *
 * @returns the exit code: 2 for any other argument. The message does not repeat it, because it may be a secret.
 */
export async function runArguments (args: readonly string[], output: Output): Promise<0 | 1 | 2> {
  if (args.length === 1 && args[0] === '--check') return check(output)
  output.stderr.write('payment-signature-backend: the only argument is --check; set everything else by environment variables, see docs/configuration.md\n')
  return 2
}
