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

/** Starts the reference in Python. */
function startReference (t: Scope, variant: string): Signer {
  const child = spawn('python3', ['reference.py', '--batch'], { cwd: join(root, 'test/conformance'), stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => { child.kill('SIGKILL') })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const start = `{"variant":"${variant}","token":${JSON.stringify(token)},"request":`
  let previous: Promise<unknown> = Promise.resolve()
  async function read (count: number) {
    const answers: string[] = []
    while (answers.length < count) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('the reference has ended')
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

/** The service signs and refuses every request as an independent implementation of the specification in Python does. */
export const differential: Fuzzer = async (t, { seed, end, print }) => {
  const counts = { signed: 0, refused: 0 }
  const faults: string[] = []

  const start = performance.now()
  for (const [index, variant] of ['A', 'B'].entries()) {
    const endOfVariant = start + (end - start) * (index + 1) / 2
    const nextText = requestTexts(randomOf(seed + index))
    const service = server(t, { VARIANT: variant, MERCHANT_TOKEN: token, LOG_LEVEL: 'warn' }, { nodeOptions: [sayingWhere] })
    const [, port] = await service.says(listening)
    const reference = startReference(t, variant)

    function judge (body: string, answer = '', expected = '') {
      if (answer[3] === ' ') counts.refused++
      else counts.signed++
      if (answer !== expected) faults.push(`variant ${variant}: ${body}: service ${answer}, Python ${expected}`)
    }
    async function client () {
      const service = startClient(t, Number(port))
      while (performance.now() < endOfVariant && faults.length < 10) {
        const bodies = Array.from({ length: batchSize }, nextText)
        const [answers, expected] = await Promise.all([service(bodies), reference(bodies)])
        bodies.forEach((body, index) => judge(body, answers[index], expected[index]))
      }
    }
    await Promise.all(Array.from({ length: connections }, client))
    await service.terminate()
  }
  print(`${counts.signed} signed, ${counts.refused} refused, ${faults.length} faults`)
  return faults
}
