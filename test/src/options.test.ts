import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { assertOptions } from '../../src/options.js'
import { whole } from '../support/whole.js'

const aFunction = ['a function', [() => {}], [{}, 'https://shop.example/may-sign', true, null]] as const

type Row = readonly [allowed: string, valid: readonly unknown[], invalid: readonly unknown[]]

/** Each option: the end of the message, values that are allowed, and values that are not. */
const options: Readonly<Record<string, Row>> = {
  config: ['a plain object of variables; leave it out for those of the environment',
    [{}, { STRICT: 'true', VARIANT: undefined }, runInNewContext('({ PORT: 1 })')],
    ['STRICT=true', null, 7, [], new Map([['STRICT', 'true']]), new Proxy({}, {}), { [Symbol('STRICT')]: 'true' },
      Object.defineProperty({}, 'STRICT', { value: 'true' }), Object.create({ STRICT: 'true' }), new class { get STRICT () { return 'true' } }()]],
  authorize: aFunction,
  tokenOf: aFunction,
  audit: aFunction,
  logger: ['Fastify\'s option: true, false or an object', [true, false, { level: 'info' }], ['info', null, 1]]
}

for (const [name, [allowed, valid, invalid]] of Object.entries(options)) {
  t.test(`the option ${name}`, async t => {
    for (const value of [...valid, undefined]) t.doesNotThrow(() => assertOptions({ [name]: value }), inspect(value))
    for (const value of invalid) {
      t.throws(() => assertOptions({ [name]: value }), {
        name: 'ConfigurationError', code: 'ERR_OPTIONS', message: whole(`${name} must be ${allowed}`)
      }, inspect(value))
    }
  })
}

t.test('unknown options and variables', async t => {
  const way = 'config replaces the environment: to change one variable, leave config out and set process.env.NAME, or copy ' +
    'the variables of the service from process.env'
  const copied = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F', 'STRICT', 'G'].map(name => [name, 'true']))
  const named = 'config has names that are no variables:'
  for (const [config, message] of [
    [JSON.parse('{"STRIKT":"true","constructor":1,"PORT":"x"}'), `${named} STRIKT, constructor. ${way}`],
    [copied, `${named} A, B, C, D, E and 2 others. ${way}`],
    [{ POLICY_FILE: null, STRICT: undefined }, 'config.POLICY_FILE is null: leave it out']
  ] as const) t.throws(() => assertOptions({ config }), { code: 'ERR_OPTIONS', message: whole(message) })
  for (const options of [null, [], 7, Object.create({ authorize: () => true })]) {
    t.throws(() => assertOptions(options as never), { code: 'ERR_OPTIONS', message: whole('the options must be a plain object') })
  }
  t.throws(() => assertOptions({ strict: true, policy: 'policy.json', rateLimitMax: 1 }), {
    code: 'ERR_OPTIONS', message: whole('strict is not an option\npolicy is not an option\nrateLimitMax is not an option')
  })
  t.throws(() => assertOptions({ autorize: () => true, constructor: 1, audit: 7 } as object), {
    code: 'ERR_OPTIONS', message: whole('autorize is not an option\nconstructor is not an option\naudit must be a function')
  })
})
