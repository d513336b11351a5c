import t from 'tap'
import { assertOptions } from '../../../src/guards/options.js'
import { VariantA } from '../../../src/scheme/variants.js'
import { whole } from '../../support/whole.js'

const aFunction = ['a function', [() => {}], [{}, 'https://shop.example/may-sign', true, null]] as const

type Row = readonly [allowed: string, valid: readonly unknown[], invalid: readonly unknown[]]

/** Each option: the end of the message, values that are allowed, and values that are not. */
const options: Readonly<Record<string, Row>> = {
  config: ['an object of variables', [{}, { STRICT: 'true', VARIANT: undefined }], ['STRICT=true', null, 7]],
  authorize: aFunction,
  context: aFunction,
  tokenOf: aFunction,
  audit: aFunction,
  signer: ['an object with the methods read and signReading, such as a VariantA', [new VariantA('token')],
    [{}, { read () {} }, { signReading () {} }, VariantA]],
  pollInterval: ['a number of milliseconds from 1 to 3600000', [1, 3_600_000], [0, 3_600_001, 1.5, '5', NaN]]
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

t.test('unknown options and variables', async t => {
  t.throws(() => assertOptions({ config: JSON.parse('{"STRIKT":"true","constructor":1,"PORT":"x"}') }), {
    code: 'ERR_OPTIONS', message: whole('config.STRIKT is not a variable\nconfig.constructor is not a variable')
  })
  t.throws(() => assertOptions({ autorize: () => true, constructor: 1, context: 7 } as object), {
    code: 'ERR_OPTIONS', message: whole('autorize is not an option\nconstructor is not an option\ncontext must be a function')
  })
})
