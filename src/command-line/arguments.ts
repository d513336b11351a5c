import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { CommandError } from './command-error.js'
import { nearest } from './nearest.js'

type Options = NonNullable<ParseArgsConfig['options']>

type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T, allowPositionals: true }>>

const secretFlags = ['token', 'merchant-token', 'api-key']

/** Refuses what would show a secret to every user of the machine, and misspelt options; never with their values. */
function refuse (args: readonly string[], known: readonly string[]): void {
  for (const arg of args) {
    if (arg === '--') return
    const name = /^--([^=]+)/.exec(arg)?.[1]
    if (name === undefined || known.includes(name)) continue
    if (secretFlags.includes(name)) {
      throw new CommandError(`--${name} is refused: whoever lists the processes of this machine could read it; ` +
        (name === 'api-key'
          ? 'set PAYMENT_SIGNATURE_API_KEY, or give --api-key-file'
          : 'set MERCHANT_TOKEN, give --token-file, or type it when asked'))
    }
    const hint = nearest(name, known)
    throw new CommandError(`unknown option --${name}${hint === undefined ? '' : `; did you mean --${hint}?`}`)
  }
}

/**
 * The options and the other arguments of a command, of which there may be `most`.
 *
 * @throws CommandError an option is unknown, lacks its value, or holds a secret; there are too many arguments
 */
export function parse<T extends Options> (args: string[], options: T, most = 0): Parsed<T> {
  refuse(args, Object.keys(options))
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\. To specify|\n/)
    throw new CommandError(line)
  }
  if (parsed.positionals.length > most) {
    throw new CommandError(most === 0 // what it is may be a secret in the wrong place
      ? 'there is an argument that belongs to no option'
      : `there is more than ${most === 1 ? 'one argument' : `${most} arguments`}`)
  }
  return parsed
}

/** A positive integer of an option. */
export function count (name: string, text: string | undefined, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (text === undefined) return undefined
  const number = /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (number <= most) return number
  throw new CommandError(`--${name} must be an integer ${most < 100 ? `from 1 to ${most}` : 'greater than 0'}`)
}
