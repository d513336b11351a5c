import t from 'tap'
import { newSid } from '../../client/sid.js'

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

t.test('a UUID version 4', async t => {
  t.match(newSid(), uuidV4)
  t.not(newSid(), newSid())
})

t.test('where randomUUID is missing', async t => {
  const { crypto } = globalThis
  let getRandomValues = crypto.getRandomValues.bind(crypto)
  t.intercept(globalThis, 'crypto', { get: () => ({ getRandomValues }) })

  for (let i = 0; i < 1000; i++) if (!uuidV4.test(newSid())) t.fail('not a UUID version 4')
  t.not(newSid(), newSid())

  for (const [bytes, sid] of [
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], '00010203-0405-4607-8809-0a0b0c0d0e0f'],
    [Array(16).fill(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [[...Array(8).fill(0), 0x12, ...Array(7).fill(0)], '00000000-0000-4000-9200-000000000000']
  ] as const) {
    getRandomValues = array => {
      (array as unknown as Uint8Array).set(bytes)
      return array
    }
    t.equal(newSid(), sid)
  }
})
