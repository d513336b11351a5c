import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { root } from '../support/server.js'

const built = join(root, 'dist/client')
const names = ['SignatureRequestError', 'requestSignature']

t.test('the classic script is under 5 kB, 2.5 kB gzipped, and defines one global', async t => {
  const script = readFileSync(join(built, 'payment-signature.global.js'))
  t.ok(script.length < 5000, `${script.length} bytes`)
  t.ok(gzipSync(script).length < 2500, `${gzipSync(script).length} bytes`)
  const page = createContext({})
  runInContext(script.toString(), page)
  t.strictSame(Object.keys(page), ['PaymentSignature'])
  t.strictSame(Object.keys(page.PaymentSignature).sort(), names)
})

t.test('the module is one file with the same exports, and has types', async t => {
  const module = readFileSync(join(built, 'index.js'), 'utf8')
  t.notMatch(module, /\bimport\b/)
  const [, exports = ''] = /export \{([^}]+)\}/.exec(module) ?? []
  t.strictSame(exports.split(',').map(name => name.trim()).sort(), names)
  t.match(readFileSync(join(built, 'index.d.ts'), 'utf8'), 'requestSignature')
})
