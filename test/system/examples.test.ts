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

/** For each engine: the question as the engine gets it, and its answers with the status for the service. */
const engines: Record<string, [asked: object, answers: Array<[status: number, body: string, expected: number]>]> = {
  opa: [{ input: { ...question, authorization: 'Bearer session' } }, [
    [200, '{"result":true}', 204],
    [200, '{"result":false}', 403],
    [200, '{"result":{"allow":true}}', 500],
    [200, '{"result":true', 500],
    [200, '[{"result":true}]', 500],
    [201, '{"result":true}', 500],
    [403, '{"result":false}', 500], // not the engine's decision
    [200, '{}', 500] // the rule is undefined
  ]],
  authzen: [{
    subject: { type: 'caller', id: 'anonymous', properties: { authorization: 'Bearer session' } },
    action: { name: 'purchase' },
    resource: { type: 'account', id: '102551', properties: question }
  }, [
    [200, '{"decision":true}', 204],
    [200, '{"decision":false,"context":{"reason_user":{"403":"Insufficient privileges"}}}', 403],
    [200, '{"context":{"error":{"status":404,"message":"Resource not found"}}}', 500],
    [401, '"Unauthorized"', 500]
  ]],
  graphql: [{
    query: 'query ($request: SignatureRequest!) { maySign(request: $request) }', variables: { request: question }
  }, [
    [200, '{"data":{"maySign":true}}', 204],
    [200, '{"data":{"maySign":false}}', 403],
    [200, '{"data":{"maySign":null}}', 500],
    [200, '{"data":{"maySign":true},"errors":[{"message":"the audit failed"}]}', 500],
    [400, '{"errors":[{"message":"Cannot query field \\"maySign\\""}]}', 500]
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
    const ask = async () => (await fetch(url, { method: 'POST', headers, body: JSON.stringify(question) })).status

    for (const [status, body, expected] of answers) {
      answer = answering(status, body, type)
      t.equal(await ask(), expected, body)
      t.strictSame(seen.splice(0), [['POST', name === 'graphql' ? 'Bearer session' : undefined, asked]])
    }
    const yes = String(answers[0]?.[1])
    answer = answering(307, yes, { location: '/' })
    t.equal(await ask(), 500, 'a redirect')
    answer = (_request, response) => {
      response.writeHead(200, { ...type, 'content-length': 1000 }).write(yes, () => response.destroy())
    }
    t.equal(await ask(), 500, 'a yes that is cut off')
    server.close()
    server.closeAllConnections()
    t.equal(await ask(), 500, 'the engine is down')
  })
}
