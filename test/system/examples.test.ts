import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { languages, sampleOf } from '../../examples/samples/sample.js'
import { answering, backendServer } from '../support/backend.js'
import { embedded } from '../support/embedded.js'
import { body, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

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
    [200, '{"result":{"allow":true}}', ...unavailable],
    [200, '{"result":true', ...unavailable],
    [200, '[{"result":true}]', ...unavailable],
    [201, '{"result":true}', ...unavailable],
    [403, '{"result":false}', ...unavailable], // not the engine's decision
    [200, '{}', ...unavailable], // the rule is undefined
    [500, '{"code":"internal_error","message":"result is true"}', ...unavailable]
  ]],
  ['authzen', '/access/v1/evaluation', undefined, {
    subject: { type: 'caller', id: 'anonymous', properties: { authorization: 'Bearer session' } },
    action: { name: 'purchase' },
    resource: { type: 'account', id: '102551', properties: question }
  }, [
    [200, '{"decision":true}', 200, undefined],
    [200, '{"decision":false,"context":{"reason_user":{"403":"Insufficient privileges"}}}', ...refused],
    [200, '{"context":{"error":{"status":404,"message":"Resource not found"}}}', ...unavailable],
    [401, '"Unauthorized"', ...unavailable]
  ]],
  ['graphql', '/graphql', 'Bearer session', {
    query: 'query ($request: SignatureRequest!) { maySign(request: $request) }', variables: { request: question }
  }, [
    [200, '{"data":{"maySign":true}}', 200, undefined],
    [200, '{"data":{"maySign":false}}', ...refused],
    [200, '{"data":{"maySign":null}}', ...unavailable],
    [200, '{"errors":[{"message":"not your order","path":["maySign"]}],"data":null}', ...unavailable],
    [200, '{"data":{"maySign":true},"errors":[{"message":"the audit failed"}]}', ...unavailable],
    [400, '{"errors":[{"message":"Cannot query field \\"maySign\\""}]}', ...unavailable]
  ]]
] as Array<[
  string, string, string | undefined, object, Array<[number, string, number, string?]>
]>) {
  t.test(name, async t => {
    const yes = answers[0]?.[1] ?? ''
    const type = { 'content-type': 'application/json' }
    const asked: unknown[] = []
    let answer: RequestListener = () => {}
    const { server, url } = await backendServer(t, async (request, response) => {
      const { headers } = request
      asked.push([request.method, request.url, headers['content-type'], headers.authorization, JSON.parse(await text(request) || 'null')])
      answer(request, response)
    })
    const adapter = createAdapter(name, new URL(path, url).href).listen(0, '127.0.0.1')
    t.teardown(() => adapter.close())
    await once(adapter, 'listening')
    const { app } = embedded(t, { authorizeUrl: `http://127.0.0.1:${(adapter.address() as AddressInfo).port}/`, authorizeTimeout: 10_000 })

    for (const [what, listener, ...expected] of [
      ...answers.map(([status, body, ...expected]) =>
        [`${status} ${body}`, answering(status, body, type), ...expected] as [string, RequestListener, number, string?]),
      ['an empty 200', answering(200, '', type), ...unavailable],
      ['204', answering(204), ...unavailable],
      ...[302, 307].map(status => [`a redirect with ${status} to a yes`, (request, response) => {
        if (request.url === '/yes') response.writeHead(200, type).end(yes)
        else response.writeHead(status, { ...type, location: '/yes' }).end(yes)
      }, ...unavailable] as [string, RequestListener, number, string]),
      ['a yes that is cut off', (_request, response) => {
        response.writeHead(200, { ...type, 'content-length': 1000 }).write(yes, () => response.destroy())
      }, ...unavailable]
    ] as Array<[string, RequestListener, number, string?]>) {
      answer = listener
      const response = await app.inject(send)
      t.strictSame([response.statusCode, response.json().error], expected, what)
      t.strictSame(asked.splice(0), [['POST', path, 'application/json', authorization, translated]], what)
    }

    const timeOut = new AbortController()
    t.intercept(AbortSignal, 'timeout', { value: (time: number) => time === 10_000 ? timeOut.signal : new AbortController().signal })
    answer = () => timeOut.abort()
    const hanging = await app.inject(send)
    t.strictSame([hanging.statusCode, hanging.json().error], unavailable, 'an engine that hangs')

    server.close()
    server.closeAllConnections()
    const response = await app.inject(send)
    t.strictSame([response.statusCode, response.json().error], unavailable, 'the engine is down')
  })
}

const request = JSON.parse(body)

/** With everything that could end a literal, or be expanded in one. */
const hostile = {
  ...request,
  orderId: '\'\'\' """ ` \\ \\n $x ${x} %s \nJSON;\nJSON é 💳 \u200b' // eslint-disable-line no-template-curly-in-string
}
// By Python's hashlib, of 1709912345678, this orderId, development-only-token, 102551, 100.00; part 1 has no orderId.
const hostilePart2 = 'd7e7ea01d88dd2af14b046b7f4afc326bb7d9f7d7ff5326b1df8d35b9bf1473e'

for (const [extension, { name, run }] of Object.entries(languages)) {
  const language = extension as keyof typeof languages
  const source = readFileSync(join(root, `examples/samples/sign.${language}`), 'utf8')

  t.test(`a program in ${name} has the request in the place of the protocol`, async t => {
    const program = sampleOf(language, source, 'B', hostile)
    t.ok(program.includes('"clientTimeStamp": 1709912345678\n}'))
    t.ok(program.includes('\\u0027\\u0027\\u0027 \\"\\"\\" \\u0060 \\\\ '))
    t.match(program, /^[\n\t -~]+$/)
    t.notMatch(program, /conformance|stdin|--batch/i)
  })

  const [program = '', ...args] = run.split(' ')
  t.test(`it prints the signature in ${name}`, { skip: lacking(program) }, async t => {
    const printed = (fields: typeof request): string => {
      const folder = t.testdir({ [`sign.${language}`]: sampleOf(language, source, 'A', fields) })
      const env = { ...process.env, MERCHANT_TOKEN: 'development-only-token' }
      const { stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' })
      t.equal(stderr, '')
      return stdout
    }
    t.equal(printed(request), `${signature}\n`)
    t.equal(printed(hostile), `${signature.slice(0, 64)}///${hostilePart2}\n`)
  })
}
