import { Readable, Writable } from 'node:stream'
import type { Test } from 'tap'
import type { Io } from '../../tools/command-line/command.js'
import { main } from '../../tools/command-line/main.js'
import { token } from './app.js'

interface Surroundings {
  /** Content of standard input. Default: standard input is a terminal. */
  stdin?: string | Buffer
  /** Replaces the environment. Default: an environment with the tests' token. */
  env?: Record<string, string | undefined>
  /** True if standard output is a terminal. */
  isTTY?: boolean
}

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs `payment-signature` in this process. */
export async function run (
  args: string[], { stdin, env = { MERCHANT_TOKEN: token }, isTTY = false }: Surroundings = {}
): Promise<Outcome> {
  const outcome = { code: NaN, stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') => new Writable({
    write (chunk, _encoding, done) {
      outcome[name] += chunk
      done()
    }
  })
  const io: Io = {
    stdin: Object.assign(Readable.from(stdin === undefined ? [] : [stdin]), { isTTY: stdin === undefined }),
    stdout: Object.assign(into('stdout'), { isTTY }),
    stderr: Object.assign(into('stderr'), { isTTY }),
    env
  }
  outcome.code = await main(args, io)
  return outcome
}

/** The request of the example as arguments. */
export const fields = [
  'operationType=purchase', 'amount=100.00', 'merchantAccountNumber=102551', 'orderId=ORDER-12345',
  'sid=client-generated-session-id', 'clientTimeStamp=1709912345678'
]

const nameOf = (field: string): string => field.split('=')[0]!

/** Returns the fields of the example with other values, such as `amount=1.00`, and with more arguments. */
export const fieldsWith = (...changes: string[]): string[] =>
  [...fields.filter(field => !changes.some(change => nameOf(change) === nameOf(field))), ...changes]

/** Returns an object as the body of a form. */
export const formOf = (object: object): string =>
  new URLSearchParams(Object.entries(object).map(([name, value]): [string, string] => [name, String(value)])).toString()

/** Asserts that a command writes one line to standard error and no other output. */
export async function refuses (
  t: Test, args: readonly string[], message: string, surroundings: Surroundings = {}, code = 2
): Promise<void> {
  const expected = { code, stdout: '', stderr: `payment-signature: ${message}\n` }
  t.strictSame(await run([...args], surroundings), expected, args.join(' '))
}

/** Refusal of a deeply nested request without account: Node 26 can write it as JSON, so that its fields are checked. */
export function toRefusedError (nested: string): { message: string, code: number } {
  try {
    JSON.stringify(JSON.parse(nested))
    return { message: 'merchantAccountNumber or accountNumber is required', code: 1 }
  } catch {
    return { message: 'the input is nested too deeply', code: 2 }
  }
}
