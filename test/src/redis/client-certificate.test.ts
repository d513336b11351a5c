import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { clientCertificate } from '../../../src/redis/client-certificate.js'
import { certificates, withoutOpenssl } from '../../support/redis-kinds.js'
import { whole } from '../../support/whole.js'

t.test('a certificate that is renewed, one file after the other', { skip: withoutOpenssl }, async t => {
  const { folder, client, server } = certificates(t)
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')]
  copyFileSync(client.cert, cert)
  copyFileSync(client.key, key)
  const lines: unknown[] = []
  const certificate = clientCertificate(cert, key, { info () {}, warn: (...line) => lines.push(line) })
  const first = certificate()
  copyFileSync(server.cert, cert)
  t.equal(certificate(), first, 'its key is still the old one')
  t.equal(certificate(), first)
  copyFileSync(server.key, key)
  t.not(certificate(), first)
  t.strictSame(lines, [[{ reason: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' },
    `the client certificate for Redis, "${cert}" with the key "${key}", cannot be used; keeping the current one`]])
  copyFileSync(client.cert, cert)
  certificate()
  t.equal(lines.length, 2, 'another time is another line')
})

t.test('a certificate that cannot be used', async t => {
  const file = join(t.testdir(), 'file')
  writeFileSync(file, 'canary')
  t.throws(() => clientCertificate(file, file, console), {
    message: whole(`the client certificate for Redis, "${file}" with the key "${file}", cannot be used (ERR_OSSL_PEM_NO_START_LINE)`)
  })
  t.throws(() => clientCertificate('', file, console), {
    message: whole(`the client certificate for Redis, "" with the key "${file}", cannot be used (ENOENT)`)
  })
})
