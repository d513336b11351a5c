import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import * as source from '../../client/index.js'
import { root } from '../support/server.js'

const built = join(root, 'dist/client')

t.test('the classic script is under 2 kB gzipped, and defines one global', async t => {
  const script = readFileSync(join(built, 'payment-signature.global.js'))
  t.ok(gzipSync(script).length < 2000, `${gzipSync(script).length} bytes`)
  const page = createContext({})
  runInContext(script.toString(), page)
  t.strictSame(Object.keys(page), ['PaymentSignature'])
  t.strictSame(Object.keys(page.PaymentSignature).sort(), Object.keys(source).sort())
})

t.test('the module is one file with the same exports, and has types', async t => {
  t.notMatch(readFileSync(join(built, 'index.js'), 'utf8'), /\bimport\b/)
  const module = await import(join(built, 'index.js'))
  t.strictSame(Object.keys(module).sort(), ['SignatureRequestError', 'requestSignature'])
  t.match(readFileSync(join(built, 'index.d.ts'), 'utf8'), 'requestSignature')
})
