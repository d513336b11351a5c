import { Buffer as NodeBuffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { createHmac as nodeHmac, getHashes as nodeHashes, hash as nodeHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { oddityOf } from '../../examples/inspector/characters.js'
import { inspect } from '../../examples/inspector/inspect.js'
import { Buffer, createHmac, getHashes, hash, timingSafeEqual, type Algorithm } from '../../examples/inspector/node.js'
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
    const { app } = embedded(t, { authorizeUrl: `http://127.0.0.1:${(adapter.address() as AddressInfo).port}/`, authorizeTimeout: 60_000 })

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

// The inspector.

/** `printf '%s' "$preImage" | sha256sum`, and any second part. */
const signatureWith = (part1: string): string => `${part1}///${'0'.repeat(64)}`

const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const purchase = { amount: '100.00', merchantAccountNumber: '102551', orderId: 'ORDER-12345', sid, clientTimeStamp: 1709912345678 }
// printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00 | sha256sum
const part1 = '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c'

t.test('every vector is right', async t => {
  for (const variant of ['A', 'B'] as const) {
    const { vectors } = JSON.parse(readFileSync(join(root, `vectors/variant-${variant.toLowerCase()}.json`), 'utf8'))
    for (const { name, request, part1, signature } of vectors) {
      const { explanation, diagnosis } = inspect(variant, JSON.stringify(request), signature)
      t.equal(explanation?.part1.digest, part1.digest, name)
      t.match(diagnosis, { finding: 'matches', causes: [] }, name)
    }
  }
})

t.test('what was signed instead', async t => {
  for (const [what, changes, finding] of [
    ['an amount with no decimals', { amount: '100' }, /amount was "100\.00" when it was signed; your request has "100"/],
    ['a sid in capitals', { sid: sid.toUpperCase() }, /was "5f0c/],
    ['a refund, signed as a purchase', { operationType: 'refund', transactionFCRN: '987654' }, /purchase/]
  ] as const) {
    const { diagnosis } = inspect('A', JSON.stringify({ ...purchase, ...changes }), signatureWith(part1))
    t.equal(diagnosis?.finding, 'explained', what)
    t.match(diagnosis?.causes[0]?.changes[0]?.finding, finding, what)
  }
})

t.test('nothing explains it', async t => {
  const { diagnosis } = inspect('B', JSON.stringify(purchase), signatureWith('0'.repeat(64)))
  t.match(diagnosis, { finding: 'unexplained', causes: [] })
})

t.test('the form of a signature', async t => {
  const { diagnosis } = inspect('A', JSON.stringify(purchase), `{"signature":"${signatureWith(part1)}"}`)
  t.match(diagnosis, { finding: 'matches', causes: [{ changes: [{ hypothesis: 'signature-in-json' }] }] })
  t.match(inspect('A', JSON.stringify(purchase), 'abc').diagnosis, { finding: 'unexplained', hints: [/^This is not a signature/] })
})

t.test('no signature', async t => {
  const { explanation, diagnosis } = inspect('A', JSON.stringify(purchase), ' \n')
  t.equal(explanation?.part1.preImage, '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00')
  t.equal(diagnosis, undefined)
})

t.test('a curl command, and a log line', async t => {
  const text = JSON.stringify(purchase)
  for (const request of [`curl http://localhost:3001 -d '${text}'`, `10:00 INFO body=${JSON.stringify(text)} 200`]) {
    t.match(inspect('A', request, signatureWith(part1)).diagnosis, { finding: 'matches', causes: [] })
  }
})

t.test('odd characters in any field, and in the names of fields', async t => {
  const request = { ...purchase, orderId: 'OR\u200bDER 1', accountNumber: '\u0661', amoуnt: '\u200b', note: 'Größe' }
  const { oddCharacters } = inspect('A', JSON.stringify(request), '')
  t.strictSame(oddCharacters.map(({ field, position, codePoint }) => [field, position, codePoint]), [
    ['orderId', 3, 'U+200B'], ['orderId', 7, 'U+0020'], ['accountNumber', 1, 'U+0661'], ['the name of amo\u0443nt', 4, 'U+0443']
  ])
})

t.test('a request that the service refuses', async t => {
  const { explanation, refusal, oddCharacters, diagnosis } = inspect('A', JSON.stringify({ ...purchase, sid: '\u200b', amount: '0\u200b' }), signatureWith(part1))
  t.equal(explanation, undefined)
  t.equal(diagnosis, undefined)
  t.equal(refusal, 'Invalid amount: amount must be greater than 0')
  t.equal(oddCharacters.length, 2)
})

t.test('no request', async t => {
  t.throws(() => inspect('A', '', ''), { message: 'The text is empty: it must contain a request' })
  t.throws(() => inspect('A', '{', ''), { message: /^The text is not JSON/ })
})

for (const [character, codePoint, name, isVisible] of [
  [' ', 'U+0020', 'SPACE', false],
  ['\u200b', 'U+200B', 'ZERO WIDTH SPACE', false],
  ['\u0430', 'U+0430', 'CYRILLIC SMALL LETTER A', true],
  ['\u2212', 'U+2212', 'MINUS SIGN', true],
  ['\u0301', 'U+0301', 'combining mark: with the character before it, it may look like one character', false],
  ['\ud800', 'U+D800', 'half a surrogate pair, hashed as U+FFFD', false],
  ['\u0001', 'U+0001', 'invisible character', false],
  ['\uff11', 'U+FF11', 'digit of another script or form', true],
  ['é', 'U+00E9', 'not ASCII', true],
  ['💳', 'U+1F4B3', 'not ASCII', true]
] as const) {
  t.test(`${codePoint} is odd`, async t => t.strictSame(oddityOf(character), { codePoint, name, isVisible }))
}

t.test('visible ASCII is not odd', async t => {
  for (let code = 0x21; code <= 0x7e; code++) {
    const character = String.fromCharCode(code)
    t.equal(oddityOf(character), undefined, character)
  }
})

// The inspector replaces modules of Node.js in a browser.

const texts = ['', 'abc', 'Größe \u0661 💳', '\ufeffmark', '\ud800', 'x'.repeat(1000)]

t.test('in a browser, the hash functions are those of Node.js', async t => {
  const known = nodeHashes()
  for (const algorithm of getHashes() as Algorithm[]) {
    t.ok(known.includes(algorithm), algorithm)
    for (const text of texts) t.equal(hash(algorithm, text), nodeHash(algorithm, text, 'hex'), `${algorithm} ${text}`)
    const bytes = Buffer.from('c3ff', 'hex')
    t.equal(hash(algorithm, bytes), nodeHash(algorithm, NodeBuffer.from('c3ff', 'hex'), 'hex'), algorithm)
    t.equal(createHmac(algorithm, 'kéy').update('abc').digest(), nodeHmac(algorithm, 'kéy').update('abc').digest('hex'), algorithm)
  }
})

t.test('so are the encodings', async t => {
  for (const text of texts) {
    const encoded = NodeBuffer.from(text).toString('hex')
    t.equal(Buffer.from(text).toString('hex'), encoded, text)
    t.equal(Buffer.from(encoded, 'hex').toString(), NodeBuffer.from(text).toString(), text)
  }
  t.strictSame([...Buffer.from('', 'hex')], [])
})

t.test('so is the comparison', async t => {
  t.ok(timingSafeEqual(Buffer.from('abc'), Buffer.from('abc')))
  t.notOk(timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')))
})
