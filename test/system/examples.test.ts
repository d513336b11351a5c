import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { answering, serve } from '../support/backend.js'
import { root } from '../support/server.js'

const question = { operationType: 'purchase', merchantAccountNumber: '102551', amount: '1.00', caller: 'anonymous' }

const { adapter: createAdapter } = await import(pathToFileURL(join(root, 'examples/authorization-adapter.mjs')).href) as {
  adapter: (engine: string, url?: string) => Server
}

const [yes, no, none] = ['200 {"allowed":true}', '200 {"allowed":false}', '500 ']

/** For each engine: the question as the engine gets it, and its answers with what the service gets. */
const engines: Record<string, [asked: object, answers: Array<[status: number, body: string, expected: string]>]> = {
  opa: [{ input: { ...question, authorization: 'Bearer session' } }, [
    [200, '{"result":true}', yes],
    [200, '{"result":false}', no],
    [200, '{"result":{"allow":true}}', none],
    [200, '{"result":true', none],
    [200, '[{"result":true}]', none],
    [201, '{"result":true}', none],
    [403, '{"result":false}', none], // not the engine's decision
    [200, '{}', none] // the rule is undefined
  ]],
  authzen: [{
    subject: { type: 'caller', id: 'anonymous', properties: { authorization: 'Bearer session' } },
    action: { name: 'purchase' },
    resource: { type: 'account', id: '102551', properties: question }
  }, [
    [200, '{"decision":true}', yes],
    [200, '{"decision":false,"context":{"reason_user":{"403":"Insufficient privileges"}}}', no],
    [200, '{"context":{"error":{"status":404,"message":"Resource not found"}}}', none],
    [401, '"Unauthorized"', none]
  ]],
  graphql: [{
    query: 'query ($request: SignatureRequest!) { maySign(request: $request) }', variables: { request: question }
  }, [
    [200, '{"data":{"maySign":true}}', yes],
    [200, '{"data":{"maySign":false}}', no],
    [200, '{"data":{"maySign":null}}', none],
    [200, '{"data":{"maySign":true},"errors":[{"message":"the audit failed"}]}', none],
    [400, '{"errors":[{"message":"Cannot query field \\"maySign\\""}]}', none]
  ]]
}

for (const [name, [asked, answers]] of Object.entries(engines)) {
  t.test(`the adapter for ${name} allows only what the engine allows`, async t => {
    const type = { 'content-type': 'application/json' }
    const seen: unknown[] = []
    let answer: RequestListener
    const { server, origin } = await serve(t, async (request, response) => {
      seen.push([request.method, request.headers.authorization, JSON.parse(await text(request))])
      answer(request, response)
    })
    const adapter = createAdapter(name, origin).listen(0, '127.0.0.1')
    t.teardown(() => adapter.close())
    await once(adapter, 'listening')
    const url = `http://127.0.0.1:${(adapter.address() as AddressInfo).port}`
    const headers = { ...type, authorization: 'Bearer session' }
    async function ask (): Promise<string> {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(question) })
      return `${response.status} ${await response.text()}`
    }

    for (const [status, body, expected] of answers) {
      answer = answering(status, body, type)
      t.equal(await ask(), expected, body)
      t.strictSame(seen.splice(0), [['POST', name === 'graphql' ? 'Bearer session' : undefined, asked]])
    }
    const allowing = String(answers[0]?.[1])
    answer = answering(307, allowing, { location: '/' })
    t.equal(await ask(), none, 'a redirect')
    answer = (_request, response) => {
      response.writeHead(200, { ...type, 'content-length': 1000 }).write(allowing, () => response.destroy())
    }
    t.equal(await ask(), none, 'a yes that is cut off')
    server.close()
    server.closeAllConnections()
    t.equal(await ask(), none, 'the engine is down')
  })
}
