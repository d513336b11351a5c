import { spawn } from 'node:child_process'
import { Agent } from 'node:http'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { randomOf } from '../support/random.js'
import { send } from '../support/send.js'
import { listening, root, sayingWhere, server, type Scope } from '../support/server.js'
import { requestTexts } from './request-texts.js'
import type { Fuzzer } from './run.js'

const token = 'differential-token-\u00e9\ud83d\ude00'

/** Requests that are judged together. */
const batchSize = 50
const connections = 3

/** Signs bodies. Returns, for each, the signature, or the status and the message of the refusal. */
type Signer = (bodies: string[]) => Promise<string[]>

/** Starts a client of the conformance protocol. Its answer is empty if its language cannot represent the request. */
function startReference (t: Scope, variant: string, command: string, args: string[]): Signer {
  const child = spawn(command, args, { cwd: join(root, 'test/conformance'), stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => { child.kill('SIGKILL') })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const start = `{"variant":"${variant}","token":${JSON.stringify(token)},"request":`
  let previous: Promise<unknown> = Promise.resolve()
  async function read (count: number) {
    const answers: string[] = []
    while (answers.length < count) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${command} has ended`)
      answers.push(value)
    }
    return answers
  }
  return bodies => {
    child.stdin.write(bodies.map(body => `${start}${body}}\n`).join(''))
    const answers = previous.then(() => read(bodies.length))
    previous = answers
    return answers
  }
}

/** Returns a function that sends bodies to the service on some connections. */
function startClient (t: Scope, port: number): Signer {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  t.teardown(() => agent.destroy())
  return bodies => Promise.all(bodies.map(async body => {
    const response = await send(port, { agent, body })
    const { signature, error } = JSON.parse(response.body)
    return response.statusCode === 200 ? signature : `${response.statusCode} ${error}`
  }))
}

/**
 * The service signs and refuses every request as two independent implementations of the specification do, which are
 * written in Python and PHP.
 */
export const differential: Fuzzer = async (t, { seed, end, print }) => {
  const counts = { signed: 0, refused: 0, withoutPhp: 0 }
  const faults: string[] = []

  const start = performance.now()
  for (const [index, variant] of ['A', 'B'].entries()) {
    const endOfVariant = start + (end - start) * (index + 1) / 2
    const nextText = requestTexts(randomOf(seed + index))
    const service = server(t, { VARIANT: variant, MERCHANT_TOKEN: token, LOG_LEVEL: 'warn' }, { nodeOptions: [sayingWhere] })
    const [, port] = await service.says(listening)
    const python = startReference(t, variant, 'python3', ['reference.py', '--batch'])
    const php = startReference(t, variant, 'php', ['-n', 'reference.php'])

    function judge (body: string, answer = '', pythons = '', phps = '') {
      if (answer[3] === ' ') counts.refused++
      else counts.signed++
      if (phps === '') counts.withoutPhp++
      if (answer === pythons && (phps === answer || phps === '')) return
      faults.push(`variant ${variant}: ${body}: service ${answer}, Python ${pythons}, PHP ${phps}`)
    }
    async function client () {
      const service = startClient(t, Number(port))
      while (performance.now() < endOfVariant && faults.length < 10) {
        const bodies = Array.from({ length: batchSize }, nextText)
        const [answers, pythons, phps] = await Promise.all([service(bodies), python(bodies), php(bodies)])
        bodies.forEach((body, index) => judge(body, answers[index], pythons[index], phps[index]))
      }
    }
    await Promise.all(Array.from({ length: connections }, client))
    await service.terminate()
  }
  // PHP's JSON decoder refuses lone surrogates and keys with U+0000.
  print(`${counts.signed} signed, ${counts.refused} refused, ${counts.withoutPhp} without PHP, ${faults.length} faults`)
  return faults
}
