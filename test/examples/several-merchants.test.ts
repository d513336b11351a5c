import t from 'tap'
import { createPlatform, type Merchant } from '../../examples/several-merchants.js'
import { VariantA } from '../../src/scheme/variant-a.js'

// printf '%s' key-of-one | sha256sum, and the same for key-of-two
const merchants: Record<string, Merchant> = {
  102551: { token: 'token-of-one', variant: 'A', apiKeySha256: 'b525be134787a427cc09b3c007c453b012d65234a7314e5387c8a8bf0706b8c9' },
  102552: { token: 'token-of-two', variant: 'B', apiKeySha256: '1e5def20104c25f73df1415c73164682ebcacc386a878c61a765bf3a8f58062b' }
}

// printf '%s' 1709912345678O-1token-of-one102551100.00 | sha256sum
const part2OfOne = 'b2053e59d178ba9a67e4e75678cae287fd430f3acc6eb3fa08369652c28fd55a'
// printf '%s' 1709912345678token-of-two102552100.00O-1 | sha256sum
const part2OfTwo = 'cc886129ee33ffe4032411783f4d3ce53b017035ad7518699e37715329fa8d21'

const request = (merchantAccountNumber: string) => ({
  amount: '100.00', merchantAccountNumber, orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
})

t.test('a platform', async t => {
  const asked: string[] = []
  let isAway = false
  const app = createPlatform(async accountNumber => {
    asked.push(accountNumber)
    if (isAway) throw new Error('the database is away')
    return merchants[accountNumber]
  }, { logger: false })
  t.teardown(() => app.close())

  async function ask (path: string, accountNumber: string, key: string | undefined) {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const response = await app.inject({
      method: 'POST', url: `${path}/api/generate-signature`, headers, payload: request(accountNumber)
    })
    return [response.statusCode, response.json().signature?.slice(67) ?? response.json().error]
  }

  t.strictSame(await ask('/a', '102551', 'key-of-one'), [200, part2OfOne])
  t.strictSame(await ask('/b', '102552', 'key-of-two'), [200, part2OfTwo])
  const refused = [403, 'The account or the API key is not known']
  for (const [path, accountNumber, key] of [
    ['/a', '102553', 'key-of-one'], ['/a', '102551', 'key-of-two'], ['/a', '102552', 'key-of-two'], ['/b', '102551', 'key-of-one'],
    ['/a', '102551', undefined], ['/a', '102551', ''], ['/a', '102554', 'key-of-one']
  ] as const) t.strictSame(await ask(path, accountNumber, key), refused)
  t.strictSame(asked, ['102551', '102552', '102553', '102554'], 'each merchant once')

  isAway = true
  t.strictSame(await ask('/a', '102553', 'key-of-one'), [503, 'Authorization is unavailable, try again'])
  t.strictSame(await ask('/a', '102551', 'key-of-one'), [200, part2OfOne], 'what is remembered')
})

t.test('a merchant who goes between two questions', async t => {
  let asked = 0
  const find = async () => asked++ === 0 ? merchants[102551] : undefined
  const app = createPlatform(find, { logger: false, maxAge: 0 })
  t.teardown(() => app.close())
  const response = await app.inject({
    method: 'POST',
    url: '/a/api/generate-signature',
    headers: { authorization: 'Bearer key-of-one' },
    payload: request('102551')
  })
  t.equal(response.statusCode, 403)
  t.equal(asked, 2)
})

t.test('what tokens must not be', async t => {
  const common = { operationType: 'purchase', sid: 's', clientTimeStamp: 1709912345678 }
  const part2 = (token: string, merchantAccountNumber: string, amount: string, orderId = '') =>
    new VariantA(token).sign({ ...common, merchantAccountNumber, amount, orderId }).slice(67)
  t.equal(part2('secret-a', '102551', '101.00'), part2('secret-a10', '255110', '1.00'))
  t.equal(part2('x-secret', '102551', '101.00', 'O-1'), part2('secret10', '255110', '1.00', 'O-1x-'))
  t.equal(part2('secret', '102551', '1050.00'), part2('secret', '10255110', '50.00'))
})
