import t from 'tap'
import { signature } from '../../support/example.js'
import { flags, run } from '../../support/command-line.js'

t.test('the signature and nothing else', async t => {
  t.same(await run(['sign', ...flags]), { code: 0, stdout: `${signature}\n`, stderr: '', terminal: '' })
  t.equal((await run(['sign', ...flags, '--json'])).stdout, `{"variant":"A","signature":"${signature}"}\n`)
})

t.test('variant B', async t => {
  const { stdout } = await run(['sign', ...flags, '--sid', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11', '--variant', 'B'])
  // printf '%s' 17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00ORDER-12345 | sha256sum
  // printf '%s' 1709912345678development-only-token102551100.00ORDER-12345 | sha256sum
  t.equal(stdout, '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///3a927f56178f37dd54a59d71097fd3e210a9a0acc9c1cb55df9cb8dfcbcc9af8\n')
})

t.test('a request that cannot be signed', async t => {
  const { code, stdout, stderr } = await run(['sign', ...flags, '--sid', ' '])
  t.equal(stderr, 'payment-signature: sid must be a non-empty string\n')
  t.equal(stdout, '')
  t.equal(code, 1)
})
