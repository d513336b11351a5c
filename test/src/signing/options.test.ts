import { Registry } from 'prom-client'
import t from 'tap'
import { VariantA } from '../../../src/scheme/variants.js'
import { assertOptions } from '../../../src/signing/options.js'
import { whole } from '../../support/whole.js'

const signer = new VariantA('token')
const milliseconds = (most: number) => `a number of milliseconds from 1 to ${most}`

/** Each option: the end of the message, values that are allowed, and values that are not. */
const options: Readonly<Record<string, readonly [allowed: string, valid: unknown[], invalid: unknown[]]>> = {
  path: ['a path that begins with /, without ? and #', ['/sign', '/'], ['sign', '/sign?a', '/#', 7]],
  strict: ['true, false or report', [true, false, 'report'], ['true', 1, null]],
  accountNumberDigits: ['an integer from 1 to 32', [1, 32], [0, 33, 1.5, '6']],
  policy: ['the path of a policy, or the policy itself', ['./policy.json', { callers: [] }], [7, null, true]],
  rateLimitMax: ['a number of requests, or 0 for no limit', [0, 1_000_000_000], [1_000_000_001, -1, 1.5, '9', NaN]],
  rateLimitWindow: [milliseconds(3_600_000), [1, 3_600_000], [0, 3_600_001]],
  rateLimitFail: ['open or closed', ['open', 'closed'], ['', true]],
  redisUrl: ['a redis:// or rediss:// URL of one server', ['redis://localhost'], ['localhost', 'redis://a,b', 7]],
  authorize: ['a function, or an http or https URL without a user or a password', [() => true, 'https://shop.example/may-sign'],
    [new URL('https://shop.example'), 'http://shop:canary@shop.example', '/may-sign', true, null]],
  authorizeTimeout: [milliseconds(10_000), [1, 10_000], [0, 10_001, '2s']],
  context: ['a function', [() => {}], [{}, 'user']],
  audit: ['true, false or a function', [true, false, () => {}], ['true', {}, null]],
  auditRequired: ['true or false', [false], ['true', 1]],
  pollInterval: [milliseconds(3_600_000), [1], [0, 3_600_001, '5']],
  metrics: ['a Registry of prom-client', [new Registry()], [{}, true]],
  signer: ['an object with the methods read and signReading, such as a VariantA', [signer], [{}, { read () {} }, { signReading () {} }, VariantA]],
  merchants: ['the path of a file of merchants', ['./merchants.json'], [{ merchants: [] }, 7]],
  schema: ['an object', [{ hide: true }], ['schema', null]]
}

for (const [name, [allowed, valid, invalid]] of Object.entries(options)) {
  t.test(`the option ${name}`, async t => {
    for (const value of [...valid, undefined]) t.doesNotThrow(() => assertOptions({ [name]: value }), String(value))
    for (const value of invalid) {
      t.throws(() => assertOptions({ [name]: value }), {
        name: 'OptionsError', code: 'ERR_OPTIONS', message: whole(`${name} must be ${allowed}`)
      }, String(value))
    }
  })
}

t.test('unknown options, and options that contradict each other', async t => {
  assertOptions({ prefix: '/payments', logLevel: 'warn', variant: 'A', merchantToken: 'token' })
  for (const [given, ...faults] of [
    [{ stict: true, constructor: 1 }, 'stict is not an option', 'constructor is not an option'],
    [{ acceptBodyToken: false }, 'acceptBodyToken is not an option'],
    [{ signer, merchantToken: 'canary' }, 'signer and merchantToken are both set; set only one of them'],
    [{ signer, merchantToken: 'canary', variant: 'A' }, 'signer and merchantToken are both set; set only one of them'],
    [{ merchants: './m.json', variant: 'A' }, 'variant and merchants are both set; leave variant out'],
    [{ signer, variant: 'A' }, 'variant and signer are both set; leave variant out'],
    [{ strict: 'report', policy: './policy.json' }, 'strict is report, but a policy needs strict fields'],
    ...[undefined, true, false].map(audit => [{ auditRequired: true, audit }, 'auditRequired needs a function audit'] as const)
  ] as const) t.throws(() => assertOptions(given), { code: 'ERR_OPTIONS', message: whole(faults.join('\n')) })
  assertOptions({ auditRequired: true, audit () {} })
})
