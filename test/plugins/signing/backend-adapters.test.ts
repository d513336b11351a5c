import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { backendServer } from '../../support/backend.js'
import { embedded } from '../../support/embedded.js'
import { root } from '../../support/server.js'

const fields = { amount: '1.00', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1 }
const whoAsks = { caller: 'anonymous', clientAddress: '127.0.0.1' }
const question = { operationType: 'purchase', merchantAccountNumber: '102551', ...fields, ...whoAsks }
const send = {
  method: 'POST',
  url: '/api/generate-signature',
  headers: { authorization: 'Bearer session' },
  payload: { accountNumber: '102551', ...fields }
} as const

const refused = [403, 'Refused by the merchant'] as const
const unavailable = [503, 'Authorization is unavailable, try again'] as const

const { adapter: createAdapter } = await import(pathToFileURL(join(root, 'examples/authorization-adapter.mjs')).href) as {
  adapter: (engine: string, url?: string) => Server
}

// Each adapter runs between the service and a stand-in that responds as the engine does.
for (const [name, path, authorization, translated, answers] of [
  ['opa', '/v1/data/payments/allow', undefined, { input: { ...question, authorization: 'Bearer session' } }, [
    [200, '{"result":true}', 200, undefined],
    [200, '{"result":false}', ...refused],
    [200, '{}', ...unavailable], // the rule is undefined
    [400, '{"code":"invalid_parameter","message":"body contains malformed input document"}', ...unavailable],
    [500, '{"code":"internal_error","message":"result is true"}', ...unavailable]
  ]],
  ['authzen', '/access/v1/evaluation', undefined, {
    subject: { type: 'caller', id: 'anonymous', properties: { authorization: 'Bearer session' } },
    action: { name: 'purchase' },
    resource: { type: 'account', id: '102551', properties: question }
  }, [
    [200, '{"decision":true}', 200, undefined],
    [200, '{"decision":true,"context":{"reason_user":{"403":"Insufficient privileges"}}}', 200, undefined],
    [200, '{"decision":false,"context":{"reason_user":{"403":"Insufficient privileges"}}}', ...refused],
    [200, '{"context":{"error":{"status":404,"message":"Resource not found"}}}', ...unavailable],
    [401, '"Unauthorized"', ...unavailable]
  ]],
  ['graphql', '/graphql', 'Bearer session', {
    query: 'query ($request: SignatureRequest!) { allowed: maySign(request: $request) }', variables: { request: question }
  }, [
    [200, '{"data":{"allowed":true}}', 200, undefined],
    [200, '{"data":{"allowed":false}}', ...refused],
    [200, '{"data":{"allowed":null}}', ...unavailable],
    [200, '{"errors":[{"message":"not your order","path":["allowed"]}],"data":null}', ...refused],
    [200, '{"data":{"allowed":true},"errors":[{"message":"the audit failed"}]}', ...unavailable],
    [400, '{"errors":[{"message":"Cannot query field \\"maySign\\""}]}', ...unavailable]
  ]]
] as Array<[
  string, string, string | undefined, object, Array<[number, string, number, string?]>
]>) {
  t.test(name, async t => {
    const asked: unknown[] = []
    let status = 200
    let body = ''
    const { server, url } = await backendServer(t, async (request, response) => {
      const { headers } = request
      asked.push([request.method, request.url, headers['content-type'], headers.authorization, await json(request)])
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const adapter = createAdapter(name, new URL(path, url).href).listen(0, '127.0.0.1')
    t.teardown(() => adapter.close())
    await once(adapter, 'listening')
    const { app } = embedded(t, { authorizeUrl: `http://127.0.0.1:${(adapter.address() as AddressInfo).port}/`, authorizeTimeout: 60_000 })

    for (const [engineStatus, engineBody, ...expected] of [...answers, [200, '', ...unavailable], [204, '', ...unavailable]] as const) {
      status = engineStatus
      body = engineBody
      const response = await app.inject(send)
      t.strictSame([response.statusCode, response.json().error], expected, `${engineStatus} ${engineBody}`)
      t.strictSame(asked.splice(0), [['POST', path, 'application/json', authorization, translated]])
    }
    server.close()
    server.closeAllConnections()
    const response = await app.inject(send)
    t.strictSame([response.statusCode, response.json().error], unavailable, 'the engine is down')
  })
}
