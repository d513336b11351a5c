import { gzipSync } from 'node:zlib'
import t from 'tap'
import { testApp } from '../../support/app.js'

const post = (payload: string | Buffer, type = 'application/json') => ({
  method: 'POST',
  url: '/api/generate-signature',
  payload,
  headers: { 'content-type': type }
}) as const

const body = '{"accountNumber":"1","sid":"é€😀","clientTimeStamp":1}'
// printf '%s' '1é€😀' | sha256sum
const part1 = 'eea17d1f487a17510da7a7a28f4572f077edef476aaebebc5e9b654ae60718c4'

t.test('UTF-8 in a body is hashed as it is', async t => {
  const { app } = testApp(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const response = await app.inject(post(body, type))
    t.equal(response.json().signature.slice(0, 64), part1, type)
  }
})

t.test('a byte order mark before the JSON is no part of it', async t => {
  const { app } = testApp(t)
  t.equal((await app.inject(post(`\ufeff${body}`))).json().signature.slice(0, 64), part1)
})

for (const [what, payload] of [
  ['ISO 8859-1', Buffer.from(body.replace('é€😀', 'é'), 'latin1')],
  ['UTF-16', Buffer.from(body, 'utf16le')],
  ['a cut-off character', Buffer.from(body).subarray(0, body.indexOf('€') + 2)],
  ['a lone surrogate in UTF-8', Buffer.from(body.replace('é€😀', '\xed\xa0\x80'), 'latin1')]
] as const) {
  t.test(`${what} is refused, where Fastify would sign U+FFFD`, async t => {
    const { app } = testApp(t)
    const response = await app.inject(post(payload))
    t.equal(response.statusCode, 400)
    t.match(response.json().error, what === 'UTF-16' ? /UTF-8|JSON/ : /^Request body is not valid UTF-8$/)
  })
}

t.test('a compressed body is refused', async t => {
  const { app } = testApp(t)
  const { headers, ...request } = post(gzipSync(body))
  const response = await app.inject({ ...request, headers: { ...headers, 'content-encoding': 'gzip' } })
  t.equal(response.statusCode, 415)
  t.same(response.json(), { error: 'Unsupported Media Type: send the body without Content-Encoding' })
})

for (const payload of [
  '{"__proto__":{"amount":"1.00"},"accountNumber":"1","sid":"s","clientTimeStamp":1}',
  '{"__proto__":null}',
  '{"a":{"__proto__":{}}}',
  '{"constructor":{"prototype":{"amount":"1.00"}}}',
  '{"\\u005f_proto__":{}}'
]) {
  t.test(`${payload} is refused`, async t => {
    const { app } = testApp(t)
    const response = await app.inject(post(payload))
    t.equal(response.statusCode, 400)
    t.same(response.json(), { error: 'Body is not valid JSON but content-type is set to \'application/json\'' })
  })
}
