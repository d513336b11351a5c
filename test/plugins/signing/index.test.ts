import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { embedded } from '../../support/embedded.js'
import { root } from '../../support/server.js'
import { whole } from '../../support/whole.js'

interface Sent {
  authorization: string
  address: string
  fields: Record<string, unknown>
  /** True if the last character of the body is missing. */
  isCut: boolean
  isOverloaded: boolean
}

interface Fault {
  what: string
  /** Step of the table in docs/calling.md. */
  step: number
  /** Adds the fault to a request. */
  add: (sent: Sent) => void
  status: number
  error: string | RegExp
}

/** Faults in the order in which they are reported. */
const faults: Fault[] = [
  { what: 'overload', step: 1, add: sent => { sent.isOverloaded = true }, status: 503, error: 'Service Unavailable: overloaded, try again later' },
  { what: 'an unknown key', step: 1, add: sent => { sent.authorization = 'Bearer unknown' }, status: 401, error: 'The API key is not known' },
  {
    what: 'the rate of the address',
    step: 1,
    add: sent => Object.assign(sent, { authorization: '', address: '192.0.2.1' }),
    status: 429,
    error: /^Too many requests: try again in \d+ seconds$/
  },
  { what: 'a body that is cut off', step: 2, add: sent => { sent.isCut = true }, status: 400, error: 'Body is not valid JSON but content-type is set to \'application/json\'' },
  {
    what: 'an amount of 0',
    step: 4,
    add: ({ fields }) => { fields.amount = '0' },
    status: 400,
    error: 'Invalid amount: amount must be greater than 0'
  },
  { what: 'a blank sid', step: 4, add: ({ fields }) => { fields.sid = ' ' }, status: 500, error: 'sid must be a non-empty string' },
  {
    what: 'a token',
    step: 5,
    add: ({ fields }) => { fields.merchantToken = 'token' },
    status: 400,
    error: 'merchantToken is not accepted: leave it out'
  },
  {
    what: 'an idType of a purchase',
    step: 5,
    add: ({ fields }) => { fields.idType = 'FCRN' },
    status: 400,
    error: 'idType must be left out: a purchase does not use it'
  },
  {
    what: 'another account',
    step: 6,
    add: ({ fields }) => { fields.merchantAccountNumber = '102552' },
    status: 403,
    error: /^caller "(?:shop|limited)" may not sign for this account \(accountNumbers\)$/
  },
  {
    what: 'the rate of the caller',
    step: 7,
    add: sent => { sent.authorization = 'Bearer key-of-a-caller-at-its-limit' },
    status: 429,
    error: /^Too many requests: try again in \d+ seconds$/
  },
  { what: 'a no of the backend', step: 8, add: ({ fields }) => { fields.orderId = 'PAID' }, status: 409, error: 'already paid' }
]

const caller = (name: string, key: string, max: number) => ({
  name,
  apiKeySha256: createHash('sha256').update(key).digest('hex'),
  operations: ['purchase' as const],
  accountNumbers: ['102551'],
  rate: { max, window: 3_600_000 }
})

t.test('the order of checks: of two faults, the first one is reported', async t => {
  let isOverloaded = false
  const { app } = embedded(t, {
    isOverloaded: () => isOverloaded,
    acceptBodyToken: false,
    rateLimitMax: 1,
    rateLimitWindow: 3_600_000,
    policy: {
      callers: [
        { name: 'anonymous', anonymous: true, operations: ['purchase'], accountNumbers: ['102551'] },
        caller('shop', 'key-of-the-shop', 1000),
        caller('limited', 'key-of-a-caller-at-its-limit', 1)
      ]
    },
    authorize: ({ request }) => request.orderId !== 'PAID' || { statusCode: 409, error: 'already paid' }
  })

  /** Returns status and message of the response to a request with some faults. */
  async function answered (...found: Fault[]) {
    const sent: Sent = {
      authorization: 'Bearer key-of-the-shop',
      address: '198.51.100.1',
      fields: { amount: '1.00', merchantAccountNumber: '102551', orderId: 'A-1', sid: 'sid-1', clientTimeStamp: 1709912345678 },
      isCut: false,
      isOverloaded: false
    }
    for (const { add } of found) add(sent)
    isOverloaded = sent.isOverloaded
    const response = await app.inject({
      method: 'POST',
      url: '/api/generate-signature',
      remoteAddress: sent.address,
      headers: { 'content-type': 'application/json', ...sent.authorization !== '' && { authorization: sent.authorization } },
      payload: JSON.stringify(sent.fields).slice(0, sent.isCut ? -1 : undefined)
    })
    return [response.statusCode, response.json().error]
  }

  const limits = faults.filter(({ what }) => what.startsWith('the rate of'))
  for (const limit of limits) t.strictSame(await answered(limit), [200, undefined], `${limit.what} is used up`)
  t.strictSame(await answered(), [200, undefined])
  for (const [index, fault] of faults.entries()) {
    const { what, status, error } = fault
    const expected = [status, whole(error)]
    t.match(await answered(fault), expected, what)
    const next = faults[index + 1]
    if (next !== undefined) t.match(await answered(next, fault), expected, `${what}, and ${next.what}`)
  }

  const table = readFileSync(join(root, 'docs/calling.md'), 'utf8')
  for (const { what, step, status } of faults) {
    const [, statuses = ''] = new RegExp(`^\\| ${step} \\|.*\\|([^|]*)\\|$`, 'm').exec(table) ?? []
    t.match(statuses, status === 409 ? '4xx' : `${status}`, `${what}, in docs/calling.md`)
  }
})
