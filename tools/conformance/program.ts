import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { ConformanceError, inParallel, remark, type Vector, type VectorOutcome } from './vectors.js'

interface Program {
  readonly program: string
  readonly args: readonly string[]
  /** The environment, without MERCHANT_TOKEN and VARIANT. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time-out for a process, in milliseconds. */
  readonly timeout: number
}

/** Limit of a process' output, in bytes. */
const maxBuffer = 2 ** 24

/**
 * Runs a program. `fault` is the reason of a failure, and empty on success.
 *
 * @throws ConformanceError the program cannot be run
 */
function run ({ program, args, timeout }: Program, env: Program['env'], input: string) {
  return new Promise<{ stdout: string, stderr: string, fault: string }>((resolve, reject) => {
    const options = { env, timeout, killSignal: 'SIGKILL', maxBuffer } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ stdout, stderr, fault: '' })
      const { code, signal, killed } = error
      if (child.pid === undefined) return reject(new ConformanceError(`${program} cannot be run (${code})`))
      let fault = `exit code ${code}`
      if (typeof code === 'string') fault = 'too much output'
      else if (killed) fault = `timed out after ${timeout / 1000} seconds`
      else if (signal) fault = `killed by ${signal}`
      resolve({ stdout, stderr, fault })
    })
    child.stdin?.on('error', () => {}) // the program may end before it has read everything
    child.stdin?.end(input)
  })
}

/** Returns the line that names the cause: the last such as "ValueError: no sid" or "panic: no sid", or all lines. */
const causeIn = (stderr: string): string =>
  stderr.split(/\r?\n/).findLast(line => /^(?:[\w.]+: |\w+Error$)/.test(line)) ?? stderr

const withRemark = (fault: string, stderr: string, vector: Vector): string => {
  const said = remark(causeIn(stderr), vector)
  return said === '' ? fault : `${fault}: ${said}`
}

/**
 * Runs the command once for each vector: the request on standard input, MERCHANT_TOKEN and VARIANT in the environment,
 * the answer on standard output, with or without a trailing newline.
 *
 * @throws ConformanceError the command cannot be run
 */
export function runEach (command: Program, vectors: readonly Vector[]): Promise<VectorOutcome[]> {
  return inParallel(vectors, availableParallelism(), async vector => {
    const { variant, token, requestText } = vector
    const env = { ...command.env, MERCHANT_TOKEN: token, VARIANT: variant }
    const { stdout, stderr, fault } = await run(command, env, requestText)
    return fault === '' ? { text: stdout.replace(/\r?\n$/, '') } : { problem: withRemark(fault, stderr, vector) }
  })
}

const countOf = ({ length }: readonly unknown[], noun: string): string => `${length} ${noun}${length === 1 ? '' : 's'}`

/**
 * Runs the command once for all vectors. Each vector is a line `{"variant","token","request"}` on standard input, and
 * each answer is a line on standard output.
 *
 * @throws ConformanceError the command cannot be run, or prints more or fewer lines than it was sent
 */
export async function runBatch (command: Program, vectors: readonly Vector[]): Promise<VectorOutcome[]> {
  const input = vectors.map(({ variant, token, requestText }) =>
    `{"variant":"${variant}","token":${JSON.stringify(token)},"request":${requestText}}\n`).join('')
  const { MERCHANT_TOKEN, VARIANT, ...env } = command.env
  const { stdout, stderr, fault } = await run(command, env, input)
  const lines = stdout === '' ? [] : stdout.replace(/\r?\n$/, '').split(/\r?\n/)
  if (lines.length > vectors.length || (fault === '' && lines.length < vectors.length)) {
    throw new ConformanceError(`${command.program} printed ${countOf(lines, 'line')} for ` +
      `${countOf(vectors, 'request')}; --batch needs one line per request`)
  }
  return vectors.map((vector, index) => {
    const text = lines[index]
    return text === undefined ? { problem: withRemark(fault, stderr, vector) } : { text }
  })
}
