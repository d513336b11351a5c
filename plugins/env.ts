import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import fastifyEnv from '@fastify/env'
import proxyAddr from '@fastify/proxy-addr'
import fp from 'fastify-plugin'
import type { Redactor } from '../src/merchants/redactor.js'
import type { AppOptions } from '../src/options.js'
import {
  ConfigurationError, environmentSchema, expectedOrigins, formats, isProduction, listOf, secrets
} from '../src/settings/environment.js'
import { contradictions, exposures } from '../src/settings/combinations.js'
import { reasonOf } from '../src/text/read-file.js'

const ajvOptions = {
  verbose: true, // errors then contain the value and its schema
  validateSchema: false, // the meta-schema takes longer to compile than all the rest
  allErrors: true,
  coerceTypes: true,
  useDefaults: true
}

interface Fault {
  instancePath: string
  data: unknown
  parentSchema: { description: string }
}

function lineFor ({ instancePath, data, parentSchema }: Fault): string {
  const name = instancePath.slice(1)
  const given = data === '' ? 'empty' : secrets.has(name) ? 'unusable' : JSON.stringify(data)
  const allowed = name === 'CORS_ORIGIN' ? expectedOrigins(String(data)) : parentSchema.description
  return `${name} is ${given}; it must be ${allowed}`
}

/** Returns the variables of `.env` in the working directory, if it exists. */
function readEnvFile (): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigurationError(`.env cannot be read (${reasonOf(error)})`)
  }
}

interface EnvOptions extends AppOptions {
  /** Gets the token before the check: a fault may quote another variable that contains the token by mistake. */
  redactor: Redactor
}

/** Loads and validates the configuration. */
export default fp<EnvOptions>(async function env (app, options) {
  const { config, redactor } = options
  app.decorate('redactor', redactor)
  const file = config === undefined ? readEnvFile() : {}
  const environment: Readonly<Record<string, unknown>> = config ?? process.env
  const data: Record<string, unknown> = { ...file, ...environment }
  for (const [name, { type }] of Object.entries(environmentSchema.properties)) {
    const value = data[name]
    const isInteger = value === undefined || Number.isInteger(value) || /^[0-9]{0,10}$/.test(String(value))
    // Ajv refuses an object. It would read " " and null as 0, and "Infinity" in spite of the maximum.
    if (type === 'integer' && !isInteger) data[name] = Object(value)
  }
  redactor.hide(String(data.MERCHANT_TOKEN ?? ''))
  app.decorate('fromEnvFile', new Set(Object.keys(file).filter(name => environment[name] === undefined)))
  try {
    await app.register(fastifyEnv, {
      schema: { ...environmentSchema }, // a copy, because the plugin writes to it
      // The plugin's README documents an object, but its types allow only a function.
      ajv: { customOptions: { ...ajvOptions, formats } as never },
      env: false, // `data` would win over the environment, so it contains the environment
      data
    })
  } catch (error) {
    const { errors, message } = error as Error & { errors?: Fault[] }
    throw new ConfigurationError(redactor.redact(errors?.map(lineFor).join('\n') ?? message))
  }
  const faults = contradictions(app.config, options)
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'))
  app.log.level = app.config.LOG_LEVEL
  app.decorate('isTrustedProxy', proxyAddr.compile(listOf(app.config.TRUST_PROXY)))
  const names = [app.config.NODE_ENV, process.env.NODE_ENV ?? '']
  const name = names.find(one => /(?<![a-z])(?:prod|production|prd|live)(?![a-z])/i.test(one))
  if (name !== undefined && !isProduction(app.config)) app.log.warn(`NODE_ENV is "${name}", which is not production`)
  app.addHook('onReady', async () => {
    const open = isProduction(app.config) ? exposures(app.config, options.authorize !== undefined) : []
    if (open.length > 0) app.log.warn(`open: ${open.join('; ')}`)
  })
}, { name: 'env', fastify: '5.x' })
