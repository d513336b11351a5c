import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isReadableByAll, readTokenFile } from '../../../src/merchants/token-file.js'
import { whole } from '../../support/whole.js'

t.test('a file has the token, with a trailing newline or without', async t => {
  for (const [content, token] of [
    ['from-file', 'from-file'], ['from-file\n', 'from-file'], ['from-file\n\n', 'from-file\n'], ['from-file\r\n', 'from-file\r'],
    ['\nfirst ', '\nfirst '], ['töken-€\n', 'töken-€'], ['x'.repeat(65_536), 'x'.repeat(65_536)]
  ] as const) {
    t.equal(await readTokenFile('token', 'setting', t.testdir({ token: content })), token)
  }
})

t.test('files that have no token', async t => {
  const folder = t.testdir({
    empty: '', newline: '\n', binary: Buffer.from([0x74, 0xff]) as never, long: 'x'.repeat(65_537), folder: {}
  })
  for (const [name, message] of [
    ['empty', 'which is empty'],
    ['newline', 'which is empty'],
    ['binary', 'which cannot be used: the file is not UTF-8 text'],
    ['long', 'which cannot be used: the file is longer than 65536 bytes'],
    ['nowhere', 'which cannot be read (ENOENT)'],
    ['folder', 'which is a folder; Docker makes one if the mounted file does not exist on the host: create the file, ' +
      'remove the folder, start again']
  ] as const) {
    const path = join(folder, name)
    await t.rejects(readTokenFile(path, 'MERCHANT_TOKEN_FILE'), {
      code: 'ERR_TOKEN', message: whole(`MERCHANT_TOKEN_FILE is "${path}", ${message}`)
    })
  }
  await t.rejects(readTokenFile('', 'KEY'), { message: whole('KEY is empty: it must be the path of a file, such as ./token') })
})

t.test('a path that may be the token itself is not shown', async t => {
  for (const path of ['tK7-mQ2xV9/bR4+wZ1', '.../tK7-mQ2xV9']) {
    await t.rejects(readTokenFile(path, 'TOKEN_FILE'), {
      message: whole('TOKEN_FILE is a path that is not shown (it has no / or ./ before it), which cannot be read (ENOENT): it must be the path of a ' +
        'file, such as ./token; what was given is not shown, since it may be the secret itself')
    })
  }
})

t.test('a file that every user may read', async t => {
  const folder = t.testdir({ token: 'token' })
  const path = join(folder, 'token')
  for (const [mode, isReadable] of [[0o640, false], [0o604, true]] as const) {
    chmodSync(path, mode)
    t.equal(await isReadableByAll(path), isReadable, mode.toString(8))
  }
  t.equal(await isReadableByAll(join(folder, 'nowhere')), false)
})
