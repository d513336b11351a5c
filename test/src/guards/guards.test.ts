import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { Authorize } from '../../../src/embed.js'
import type { Asked, Guard } from '../../../src/guards/attempt.js'
import { guardsOf } from '../../../src/guards/guards.js'
import { toRefusedError } from '../../../src/http/refusals.js'
import { testApp, type TestOptions } from '../../support/app.js'
import { body } from '../../support/example.js'

const request = JSON.parse(body)
const caller = { name: 'anonymous', operations: ['purchase' as const], accountNumbers: ['102551', '999999'], maximumAmount: '500.00' }
const merchants = { merchants: [{ name: 'shop', accountNumbers: ['102551'], token: 'aTokenOfTheMerchantThatIsLong' }] }

/** Returns the list of an app that becomes ready. */
async function listOf (app: FastifyInstance, authorize?: Authorize): Promise<readonly Guard[]> {
  let guards: readonly Guard[] = []
  app.register(async scope => { guards = (await guardsOf(scope, authorize)).guards })
  await app.ready()
  return guards
}

/** An app with every guard, and its list in its order. */
async function listed (t: Test, { config, ...options }: TestOptions = {}) {
  const MERCHANTS_FILE = `${t.testdir({ 'merchants.json': JSON.stringify(merchants) })}/merchants.json`
  const authorize: Authorize = ({ request: { orderId } }) => orderId !== 'SOLD'
  const { app } = testApp(t, { callers: [caller], authorize, ...options, config: { MERCHANTS_FILE, ...config } })
  return { app, guards: await listOf(app, authorize) }
}

/** A request that only one guard refuses: the place of the guard in the list, the fields and the code. */
const ofOneGuard: ReadonlyArray<readonly [index: number, fields: object, code: string, config?: TestOptions['config']]> = [
  [0, { sid: 'x'.repeat(257) }, 'strict; field=sid'],
  [1, { merchantToken: 'its own' }, 'strict; field=merchantToken', { STRICT: 'report' }],
  [2, { amount: '500.01' }, 'policy; reason=maximumAmount'],
  [3, { merchantAccountNumber: '999999' }, 'account-number-unknown'],
  [4, { orderId: 'SOLD' }, 'refused']
]

for (const [index, fields, code, config] of ofOneGuard) {
  t.test(`without the guard at ${index}, a request is signed that it refuses with ${code}`, async t => {
    const { app, guards } = await listed(t, config === undefined ? {} : { config, callers: undefined })
    const [first, second, ...rest] = guards
    const all: ReadonlyArray<Guard | undefined> = config === undefined ? guards : [first, second, undefined, ...rest]
    t.equal(guards.length, config === undefined ? 5 : 4)

    const body = { ...request, ...fields }
    const merchant = app.merchants.merchantOf(body.merchantAccountNumber)
    const from = { body, id: 'req-1', clientAddress: '192.0.2.1', headers: {}, log: app.log } as unknown as Asked['request']
    const reading = merchant.reader.read(body)
    const who = config === undefined ? caller : undefined
    const asked: Asked = { request: from, body, merchant, reading, attempt: { caller: who } }
    const refusedBy: unknown[] = []
    for (const [place, guard] of all.entries()) {
      try {
        await guard?.(asked)
      } catch (error) {
        refusedBy.push([place, toRefusedError(error).errorCode])
      }
    }
    t.strictSame(refusedBy, [[index, code]], 'no other guard refuses it')
    t.match((await app.inject({ method: 'POST', url: '/api/generate-signature', payload: body })).headers, { 'error-code': code })
  })
}

t.test('a guard that returns its refusal does not compile', async () => {
  // @ts-expect-error -- a returned refusal would be ignored
  const returning: Guard = () => new Error('refused')
  // @ts-expect-error -- a returned refusal would be ignored
  const resolving: Guard = async () => new Error('refused')
  return [returning, resolving]
})

t.test('without settings there is no guard', async t => {
  t.strictSame(await listOf(testApp(t).app), [])
})
