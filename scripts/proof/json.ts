import { Agent } from 'node:http'
import { listening, sayingWhere, server } from '../../test/support/server.js'
import { inScope, table } from './part.js'
import type { Part } from './part.js'
import { bytes, either, invalid, valid } from './json-corpus.js'
import { send } from './send.js'

/** Statuses that a group of cases may have as a value in a request that is otherwise complete. */
const groups = {
  valid: { cases: valid, encoding: 'utf8', statuses: [200] },
  invalid: { cases: invalid, encoding: 'utf8', statuses: [400] },
  'valid or invalid': { cases: either, encoding: 'utf8', statuses: [200, 400] },
  'not UTF-8': { cases: bytes, encoding: 'latin1', statuses: [400] }
} as const

/** Fields that get each text as their value. An unknown field is ignored. */
const places = ['orderId', 'amount', 'merchantToken', 'transactionId', 'extra']

/** Statuses that the specification demands for values, whatever the parser accepts. */
const isOfSpecification = (status: number, error: string): boolean =>
  (status === 400 && error.startsWith('Invalid amount')) ||
  (status === 500 && /^Cannot convert object|^a value is nested/.test(error))

export const json: Part = {
  name: 'json',
  shows: 'Each text that is difficult for JSON parsers gets a signature or an error in JSON, as a body and as the value of a field.',
  run: inScope('json', async (t, { short }) => {
    const service = server(t, { LOG_LEVEL: 'error' }, { nodeOptions: [sayingWhere] })
    const port = Number((await service.says(listening))[1])
    const agent = new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    const faults: string[] = []
    const rows: Array<Array<string | number>> = []
    let requests = 0

    /** Sends a body and checks the form of the response. Returns the status, and the message of an error. */
    async function post (name: string, body: Buffer): Promise<[status: number, error: string]> {
      requests++
      const { statusCode, headers, body: text } = await send(port, { agent, body })
      const form = statusCode === 200 ? /^\{"signature":"[\da-f]{64}\/{3}[\da-f]{64}"\}$/ : /^\{"error":"[^]+"\}$/
      if (!form.test(text) || !/^application\/json/.test(String(headers['content-type']))) faults.push(`${name}: ${statusCode} ${text}`)
      return [statusCode, statusCode === 200 ? '' : JSON.parse(text).error]
    }

    for (const [group, { cases, encoding, statuses }] of Object.entries(groups)) {
      const counts: Record<number, number> = { 200: 0, 400: 0, 500: 0 }
      const chosen = Object.entries(cases).slice(0, short ? 10 : Infinity)
      for (const [name, text] of chosen) {
        const [status, error] = await post(`${name}, as the body`, Buffer.from(text, encoding))
        if (status !== 400) faults.push(`${name}, as the body: ${status} ${error}`)
        for (const place of places) {
          const body = `{"merchantAccountNumber":"1","sid":"5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11","clientTimeStamp":1,"${place}":${text}}`
          const [status, error] = await post(`${name}, as ${place}`, Buffer.from(body, encoding))
          counts[status] = (counts[status] ?? 0) + 1
          const isExpected = (statuses as readonly number[]).includes(status) ||
            (group !== 'invalid' && isOfSpecification(status, error))
          if (!isExpected) faults.push(`${name}, as ${place}: ${status} ${error}`)
        }
      }
      rows.push([group, chosen.length, ...Object.values(counts)])
    }
    if (!/^$|^listening/.test(service.output().trim())) faults.push(`log: ${service.output().slice(0, 500)}`)
    const head = ['texts', 'cases', 'as a field: 200', '400', '500 (a value without a text, as specified)']
    return {
      passed: faults.length === 0,
      figures: { cases: rows.reduce((sum, [, count]) => sum + Number(count), 0), requests, faults: faults.length },
      details: [table(head, rows), ...faults.slice(0, 20).map(fault => `- ${fault}`)].join('\n\n')
    }
  })
}
