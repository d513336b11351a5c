import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { httpUrlIn } from '../settings/urls.js'
import { nearest } from '../settings/nearest.js'
import { CommandError, type Command, type Options, type Parsed } from './command.js'

const secretFlags = ['token', 'merchant-token', 'api-key']

/** Refuses options that would contain a secret, and unknown options. The message never contains the value. */
function refuse (args: readonly string[], known: readonly string[]): void {
  for (const arg of args) {
    if (arg === '--') return
    const name = /^--([^=]+)/.exec(arg)?.[1]
    if (name === undefined || known.includes(name)) continue
    if (secretFlags.includes(name)) {
      throw new CommandError(`--${name} is refused: every user of this machine could read it in the process list; ` +
        (name === 'api-key'
          ? 'set PAYMENT_SIGNATURE_API_KEY, or pass --api-key-file'
          : 'set MERCHANT_TOKEN, pass --token-file, or type it when asked'))
    }
    const hint = nearest(name, known)
    throw new CommandError(`unknown option --${name}${hint === undefined ? '' : `; did you mean --${hint}?`}`)
  }
}

/** Error for an argument that belongs to no option. The argument may be a secret, unless a file has that name. */
export function unexpectedArgument (argument: string, options: object): CommandError {
  const isFile = existsSync(argument) || argument.endsWith('.json')
  const flag = ['request', 'token-file'].find(flag => Object.hasOwn(options, flag))
  const hint = flag === undefined ? 'see --help' : `did you mean --${flag} ${isFile ? argument : 'FILE'}?`
  return new CommandError(`unexpected argument ${isFile ? `'${argument}'` : '(not shown: it may be a secret)'}; ${hint}`)
}

/** Returns the first line of Node's message, which contains no value, or a message that says what to do. */
function faultIn (message: string): string {
  const [line] = message.split(/\. To specify|\n/) as [string]
  const [, option] = /^Option '(--\S+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(line) ?? []
  return option === undefined ? line : `${option} needs a value; one that begins with a dash is written ${option}=VALUE`
}

/**
 * Parses the arguments of a command.
 *
 * @throws CommandError an option is unknown, repeated, lacks its value, or contains a secret; there are too many other
 *   arguments
 */
export function parse (args: string[], { options, maxPositionals = 0 }: Command): Parsed<Options> {
  refuse(args, Object.keys(options))
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, tokens: true })
  } catch (error) {
    throw new CommandError(faultIn((error as Error).message))
  }
  const named = parsed.tokens.flatMap(token => token.kind === 'option' && token.value !== undefined ? [token.name] : [])
  const repeated = named.find((name, index) => named.indexOf(name) < index && options[name]?.multiple !== true)
  if (repeated !== undefined) throw new CommandError(`--${repeated} is passed more than once: pass it once`)
  const surplus = parsed.positionals[maxPositionals]
  if (surplus !== undefined) throw unexpectedArgument(surplus, options)
  return { ...parsed, rest: args.includes('--') ? args.slice(args.indexOf('--') + 1) : [] }
}

/**
 * Returns the positive integer of an option; undefined without the option.
 *
 * @throws CommandError the text is no integer from 1 to 2^53 - 1
 */
export function count (name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (number <= Number.MAX_SAFE_INTEGER) return number
  throw new CommandError(`--${name} must be an integer greater than 0`)
}

/**
 * Returns an http or https URL.
 *
 * @throws CommandError the text is no such URL. The message does not repeat the text, which may contain a password.
 */
export function urlIn (text: string): URL {
  const url = httpUrlIn(text)
  if (url !== undefined) return url
  throw new CommandError('the URL must begin with http:// or https://, such as http://localhost:3001, and have no user name ' +
    'or password')
}
