import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import fastifyEnv from '@fastify/env'
import fp from 'fastify-plugin'
import { ConfigurationError, environmentSchema, formats, isDecimal } from '../src/settings/environment.js'
import { modesOf, reportOnlyFaults, type Modes } from '../src/settings/modes.js'
import { optionsOf, secrets, variables, type Environment } from '../src/settings/settings.js'
import { droppedFaults, placeholderFaults, variableWarnings } from '../src/settings/variable-warnings.js'
import type { AppOptions } from '../src/signing/options.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Values of the environment variables. */
    config: Environment
    /** Modes of the guards, which follow from the configuration. */
    modes: Modes
    /** Files that SIGHUP reloads. */
    watchedFiles: Array<{ reload (isAsked?: boolean): unknown }>
    /** Lines about likely mistakes in the configuration, which the log contains too. */
    configurationWarnings: readonly string[]
  }
}

const ajvOptions = {
  verbose: true, // errors then contain the value and its schema
  validateSchema: false, // the meta-schema takes longer to compile than all the rest
  formats
}

const decimal = { keyword: 'decimal', modifying: true, validate: isDecimal }

interface Fault {
  instancePath: string
  data: unknown
  parentSchema: { description: string }
}

function lineFor ({ instancePath, data, parentSchema }: Fault): string {
  const name = instancePath.slice(1)
  const isHidden = secrets.has(name) || name === 'MERCHANT_TOKEN_KCV' // its value may be the token, by mistake
  const given = data === '' ? 'empty' : isHidden ? 'unusable' : JSON.stringify(data)
  return `${name} is ${given}; it must be ${parentSchema.description}`
}

/** Returns the names of the service's variables whose unquoted value is cut at a `#` directly behind a character. */
const cutIn = (text: string): string[] => text.split('\n')
  .flatMap(line => /^\s*(?:export\s+)?(\w+)\s*=\s*(?!["'`])[^#]*[^\s#]#/.exec(line)?.[1] ?? [])
  .filter(name => variables.some(variable => variable.name === name))

/**
 * Reads `.env` in the working directory, if it exists.
 *
 * @returns the variables, and a warning for each value that is cut, without the value: it may be a token
 * @throws ConfigurationError the file cannot be read, or is not UTF-8 text without a byte order mark
 */
function readEnvFile (): { given: NodeJS.Dict<string>, warnings: string[] } {
  let bytes: Buffer
  try {
    bytes = readFileSync('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { given: {}, warnings: [] }
    throw new ConfigurationError(`.env cannot be read: ${(error as Error).message}`)
  }
  if (bytes.includes(0)) throw new ConfigurationError('.env is UTF-16 text, as PowerShell writes it, or binary: save it as UTF-8')
  const text = bytes.toString()
  if (text.startsWith('\ufeff')) {
    throw new ConfigurationError('.env begins with a byte order mark, which hides its first variable: save it without')
  }
  const warnings = cutIn(text).map(name =>
    `.env: the value of ${name} ends before a "#", which begins a comment: put the value in single quotes`)
  return { given: parseEnv(text), warnings }
}

/** `merchants` is the path of a file of merchants, instead of MERCHANTS_FILE; `authorize` replaces AUTHORIZE_URL. */
type EnvOptions = Pick<AppOptions, 'config' | 'merchants' | 'authorize'>

/**
 * Loads and validates the configuration: `config`, or by default `.env` in the working directory, overridden by the
 * environment.
 */
export default fp<EnvOptions>(async function env (app, { config, merchants, authorize }) {
  const file = config === undefined ? readEnvFile() : { given: {}, warnings: [] }
  const given: Readonly<Record<string, unknown>> =
    { ...file.given, ...config ?? process.env, ...merchants !== undefined && { MERCHANTS_FILE: merchants } }
  // Before the check: a fault may quote a variable that contains the token by mistake.
  if (app.hasDecorator('merchantToken')) app.merchantToken.hide(String(given.MERCHANT_TOKEN ?? ''))
  try {
    await app.register(fastifyEnv, {
      schema: { ...environmentSchema }, // a copy, because the plugin writes to it
      // The plugin's README documents an object, but its types allow only a function.
      ajv: { customOptions: { ...ajvOptions, keywords: [decimal] } as never },
      env: false,
      data: given
    })
  } catch (error) {
    const { errors, message } = error as Error & { errors?: Fault[] }
    throw new ConfigurationError(errors?.map(lineFor).join('\n') ?? message)
  }
  const faults = droppedFaults(given)
  if (app.config.MERCHANTS_FILE !== '') {
    faults.push(...(['MERCHANT_TOKEN', 'MERCHANT_TOKEN_FILE', 'MERCHANT_TOKEN_KCV', 'VARIANT', 'ACCEPT_BODY_TOKEN'] as const)
      .filter(name => (given[name] ?? '') !== '' && app.config[name] !== false)
      .map(name => `${name} and MERCHANTS_FILE are both set; leave ${name} out`))
    // Undefined, so that --check, which loads its result again, does not find it set.
    Object.assign(app.config, { ACCEPT_BODY_TOKEN: false, VARIANT: undefined })
  }
  const { PORT, HOST, ADMIN_PORT, ADMIN_HOST } = app.config
  if (PORT !== 0 && ADMIN_PORT === String(PORT) && ADMIN_HOST === HOST) {
    faults.push(`PORT and ADMIN_PORT are both ${PORT}; set another ADMIN_PORT`)
  }
  const options = optionsOf(app.config)
  const ofReports = reportOnlyFaults({ ...options, authorize, merchants: app.config.MERCHANTS_FILE || undefined })
  faults.push(...ofReports.map(fault => `REPORT_ONLY ${fault}`))
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
  app.decorate('modes', modesOf(options))
  app.decorate('watchedFiles', [])
  app.log.level = app.config.LOG_LEVEL
  const placeholders = app.config.NODE_ENV === 'production' ? placeholderFaults(app.config) : []
  const warnings = [...file.warnings, ...variableWarnings(given), ...placeholders]
  app.decorate('configurationWarnings', warnings)
  for (const warning of warnings) app.log.warn(warning)
}, { name: 'env', fastify: '5.x' })
