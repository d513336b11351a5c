import t from 'tap'
import { lacking } from './installed.js'

t.test('a missing program is a reason to skip, and an error if REQUIRE_PROGRAMS is 1', async t => {
  t.intercept(process, 'env', { value: { REQUIRE_PROGRAMS: '0' } })
  t.equal(lacking('sh', 'no-such-program', '/no/such/file'), 'not installed: no-such-program, /no/such/file')
  t.equal(lacking('sh'), false)
  process.env.REQUIRE_PROGRAMS = '1'
  t.throws(() => lacking('sh', 'no-such-program'), { message: 'not installed: no-such-program; REQUIRE_PROGRAMS is 1' })
  t.equal(lacking('sh'), false)
})
