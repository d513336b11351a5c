import { METHODS } from 'node:http'
import { createHandler } from '../../src/fetch.js'
import { token } from '../support/app.js'
import { syntax } from '../support/pattern-paths.js'
import { randomOf } from '../support/random.js'
import { RawClient } from '../support/raw-client.js'
import { listening, server } from '../support/server.js'
import type { Fuzzer } from './run.js'

const plain = ['a', '/', 'api', 'api/generate-signature', 'health', 'http://pay.example/']

/** Each path of syntax and plain text, in any order, gets an answer below 500 of the service and the fetch handler. */
export const paths: Fuzzer = async (t, { seed, end, print }) => {
  const random = randomOf(seed)
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const service = server(t, { MERCHANT_TOKEN: token })
  const [, port] = await service.says(listening)
  const client = new RawClient(Number(port))
  t.teardown(() => client.close())
  const handler = createHandler({ config: { MERCHANT_TOKEN: token }, clientAddress: () => '192.0.2.1', logger: false })
  t.teardown(() => handler.close())

  const faults: string[] = []
  let sent = 0
  while (performance.now() < end && faults.length < 10) {
    const path = `/${Array.from({ length: 1 + Math.floor(random() * 6) }, () => one(random() < 0.6 ? syntax : plain)).join('')}`
    const method = one(METHODS)
    const answers: Array<readonly [surface: string, status: number | string]> = [['service', await client.send(method, path)]]
    if (!['CONNECT', 'TRACE'].includes(method)) { // Request refuses them
      const response = handler(new Request(`https://pay.example${path}`, { method }))
      answers.push(['handler', await response.then(({ status }) => status, String)])
    }
    sent++
    for (const [surface, status] of answers) {
      const isAnswered = Number(status) >= 200 && Number(status) < 500
      // It is enough that the process lives after a CONNECT: the next request shows it.
      if (!isAnswered && method !== 'CONNECT') faults.push(`${surface}, seed ${seed}, ${method} ${JSON.stringify(path)}: ${status}`)
    }
  }
  if (service.process.exitCode !== null) faults.push(`seed ${seed}: the service ended`)
  print(`${sent} random paths, ${faults.length} faults`)
  return faults
}
