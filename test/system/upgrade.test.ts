import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { production, request } from '../support/example.js'
import { previousBuild } from '../support/previous-build.js'
import { redisServer, withoutRedis } from '../support/redis.js'
import { listening, root, server } from '../support/server.js'

// Runs the previous version and this one side by side.

const previous = previousBuild(t)
const scripts = [previous.script, 'dist/src/server.js']

/** Starts an instance of each version, and returns a function that sends both a request. */
async function bothVersions (t: Test, variables: (name: string) => Record<string, string>) {
  const ports = await Promise.all(scripts.map(async (script, index) =>
    (await server(t, variables(`version-${index}`), { script }).says(listening))[1]))
  return (body: unknown, headers: Record<string, string> = {}) => Promise.all(ports.map(async (port = '') => {
    const response = await request(port, typeof body === 'string' ? body : JSON.stringify(body), headers)
    return { status: response.status, ...await response.json() as object }
  }))
}

const policy = {
  callers: [{ name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'], maximumAmount: '500.00' }]
}
const purchase = JSON.parse(production.body)

for (const variant of ['A', 'B']) {
  t.test(`variant ${variant}: both versions make the signatures of the vectors`, { skip: previous.skip }, async t => {
    const send = await bothVersions(t, () => ({ VARIANT: variant }))
    const { vectors } = JSON.parse(readFileSync(join(root, `vectors/variant-${variant.toLowerCase()}.json`), 'utf8'))
    for (const { name, token, request, signature } of vectors) {
      const body = token === 'development-only-token' ? request : { merchantToken: token, ...request }
      const expected = { status: 200, signature }
      t.strictSame(await send(body), [expected, expected], name)
    }
  })
}

t.test('one policy, one Redis, one audit format: both versions refuse the same', { skip: previous.skip || withoutRedis }, async t => {
  const redis = redisServer(t)
  await redis.start()
  const folder = t.testdir({ 'policy.json': JSON.stringify(policy) })
  const file = (name: string) => join(folder, name)
  const send = await bothVersions(t, name => ({
    MERCHANT_TOKEN: production.token,
    POLICY_FILE: file('policy.json'),
    AUDIT: 'required',
    AUDIT_FILE: file(name),
    REDIS_URL: redis.url,
    RATE_LIMIT_MAX: '3',
    TRUST_PROXY: '127.0.0.1',
    LATER_SETTING: 'unknown to both'
  }))
  const requests: Array<[body: unknown, status: number]> = [
    [purchase, 200],
    [{ ...purchase, amount: '0.00' }, 400],
    [{ ...purchase, merchantAccountNumber: undefined }, 400],
    [{ ...purchase, sid: undefined }, 400],
    [{ ...purchase, clientTimeStamp: undefined }, 400],
    [{ ...purchase, sid: ' ' }, 500],
    [{ ...purchase, amount: '1e2' }, 400],
    [{ ...purchase, amount: '500.01' }, 403],
    [{ ...purchase, operationType: 'void' }, 400],
    ['{', 400]
  ]
  for (const [index, [body, expected]] of requests.entries()) {
    const answers = await send(body, { 'x-forwarded-for': `192.0.2.${index}` })
    t.strictSame(answers.map(({ status }) => status), [expected, expected])
  }

  const statuses = []
  for (let round = 0; round < 4; round++) {
    for (const { status } of await send(purchase, { 'x-forwarded-for': '198.51.100.1' })) statuses.push(status)
  }
  t.strictSame(statuses.sort(), [200, 200, 200, 200, 200, 200, 429, 429], 'each counts in its own key, which has a name and the window since')

  const audits = scripts.map((_script, index) => readFileSync(file(`version-${index}`), 'utf8').trimEnd().split('\n')
    .filter(line => !line.includes('198.51.100.1'))
    .map(line => line.replace(/"(time|pid)":\d+|"(reqId|reason)":"([^"\\]|\\.)*"/g, '')))
  t.strictSame(audits[0], audits[1])
  t.equal(audits[1]?.length, requests.length)
})
