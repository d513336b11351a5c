import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { createApp, type AppOptions } from '../src/app.js'
import * as diagnosis from '../src/diagnose.js'
import paymentSignature from '../src/fastify.js'
import { createHandler, type HandlerOptions } from '../src/fetch.js'
import * as library from '../src/index.js'
import { root } from './support/server.js'

// Runs the `@example` blocks of docstrings. A literal in a comment at the end of a line is the value of its expression.

const signer = new library.VariantA('development-only-token')
const request: library.PaymentRequest = {
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

/** Names that examples use without a declaration. */
const names = {
  ...library,
  ...diagnosis,
  signer,
  request,
  signature: signer.sign(request),
  merchantToken: 'development-only-token',
  paymentSignature,
  process: { env: { MERCHANT_TOKEN: 'development-only-token' } },
  console: { log () {} },
  Bun: { serve () {} }
}

/** Matches a statement with a comment that contains the value of its expression. */
const valued = /^(.*) \/\/ ('.*'|true)$/m

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

const files = ['src', 'tools'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))

for (const file of files.filter(name => name.endsWith('.ts'))) {
  const text = readFileSync(join(root, file), 'utf8')
  for (const { index, 1: lines = '' } of text.matchAll(/^ \* @example\n((?: \*(?!\/).*\n)+)/gm)) {
    t.test(`${file}:${text.slice(0, index).split('\n').length}`, async t => {
      const closing = <T extends { close (): unknown }>(one: T): T => {
        t.teardown(() => one.close())
        return one
      }
      const given = {
        ...names,
        Fastify: () => closing(Fastify()),
        createApp: (options: AppOptions) => closing(createApp({ ...options, logger: false })),
        createHandler: (options: HandlerOptions) => closing(createHandler({ ...options, logger: false }))
      }
      const code = lines.replace(/^ \* ?/gm, '').replace(/^import .*/gm, '').replace('port: 3000', 'port: 0')
      const [, statement = '', value] = valued.exec(code) ?? []
      const body = code.replace(valued, statement.includes('return ') ? statement : `return ${statement}`)
      const result = await AsyncFunction(...Object.keys(given), `{${body}}`)(...Object.values(given))
      t.equal(result, value === undefined ? undefined : JSON.parse(value.replaceAll("'", '"')))
    })
  }
}
