import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPlatform, type Merchant } from '../../examples/several-merchants.js'
import { VariantA } from '../../src/scheme/variant-a.js'
import { languages, sampleOf } from '../../examples/samples/sample.js'
import { body, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

// printf '%s' key-of-one | sha256sum
const merchants: Record<string, Merchant> = {
  102551: { token: 'token-of-one', apiKeySha256: 'b525be134787a427cc09b3c007c453b012d65234a7314e5387c8a8bf0706b8c9' }
}

// printf '%s' 1709912345678O-1token-of-one102551100.00 | sha256sum
const part2OfOne = 'b2053e59d178ba9a67e4e75678cae287fd430f3acc6eb3fa08369652c28fd55a'

const requestOf = (merchantAccountNumber: string) => ({
  amount: '100.00', merchantAccountNumber, orderId: 'O-1', sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', clientTimeStamp: 1709912345678
})

t.test('a platform', async t => {
  let find = async (accountNumber: string) => merchants[accountNumber]
  const config = { LOG_LEVEL: 'silent', ADMIN_PORT: '0', MERCHANT_TOKEN: undefined, MERCHANT_TOKEN_FILE: '' } as never
  const app = createPlatform(accountNumber => find(accountNumber), { config })
  t.teardown(() => app.close())

  async function ask (accountNumber: string, key: string | undefined) {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const response = await app.inject({
      method: 'POST', url: '/api/generate-signature', headers, payload: requestOf(accountNumber)
    })
    return [response.statusCode, response.json().signature?.slice(67) ?? response.json().error]
  }

  t.strictSame(await ask('102551', 'key-of-one'), [200, part2OfOne])
  t.equal((await app.inject('/ready')).statusCode, 200)
  t.match(await app.metrics?.metrics(), 'payment_signature_decisions_total{variant="A",operation="purchase",outcome="signed",caller="anonymous"} 1')
  const refused = [403, 'The account or the API key is not known']
  for (const [accountNumber, key] of [
    ['102553', 'key-of-one'], ['102551', 'key-of-two'], ['102551', undefined], ['102551', '']
  ] as const) t.strictSame(await ask(accountNumber, key), refused)

  let asked = 0
  find = async () => asked++ === 0 ? merchants[102551] : undefined
  t.strictSame(await ask('102551', 'key-of-one'), refused, 'a merchant who goes between two questions')
  find = async () => { throw new Error('the database is away') }
  t.strictSame(await ask('102551', 'key-of-one'), [503, 'Authorization is unavailable, try again'])
})

t.test('a token in the configuration beside the function is refused', async t => {
  for (const [name, value] of [['MERCHANT_TOKEN', 'token'], ['MERCHANT_TOKEN_FILE', 'token'], ['MERCHANT_TOKEN_KCV', '63e1e6']] as const) {
    const app = createPlatform(async () => undefined, { config: { [name]: value, LOG_LEVEL: 'silent' } })
    t.teardown(() => app.close())
    const message = 'MERCHANT_TOKEN, its _FILE and its _KCV cannot be used with the option merchantToken'
    await t.rejects(async () => app.ready(), { message }, name)
  }
})

t.test('what tokens must not be', async t => {
  const common = { operationType: 'purchase', sid: 's', clientTimeStamp: 1709912345678 }
  const part2 = (token: string, merchantAccountNumber: string, amount: string, orderId = '') =>
    new VariantA(token).sign({ ...common, merchantAccountNumber, amount, orderId }).slice(67)
  t.equal(part2('secret-a', '102551', '101.00'), part2('secret-a10', '255110', '1.00'))
  t.equal(part2('x-secret', '102551', '101.00', 'O-1'), part2('secret10', '255110', '1.00', 'O-1x-'))
  t.equal(part2('secret', '102551', '1050.00'), part2('secret', '10255110', '50.00'))
})

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
