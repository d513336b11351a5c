import { symlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { NoDecisionError } from '../../../src/guards/authorize/answer.js'
import { backendAt } from '../../../src/guards/authorize/backend.js'
import { causes } from '../../../src/text/causes.js'
import { tcpServer } from '../../support/backend.js'

t.test('codes of faults that are caused here have a line in the page', async t => {
  const folder = t.testdir({ file: '' })
  symlinkSync('loop', join(folder, 'loop'))
  const codes = await Promise.all(['nowhere/x', 'file/x', 'loop', '.'].map(name =>
    open(join(folder, name), 'a').then(() => '', ({ code }) => code)))
  t.strictSame(codes, ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'])

  const input = { request: {}, headers: {}, requestId: 'req-1' } as never
  const garbage = await tcpServer(t, socket => socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.0 400 Bad Request\r\n\r\n')))
  const ending = await tcpServer(t, socket => socket.on('error', () => {}).destroy())
  for (const url of [
    'http://127.0.0.1:1', 'http://nowhere.invalid', `https://127.0.0.1:${garbage}`, `http://127.0.0.1:${ending}`
  ]) {
    const error = await Promise.resolve(backendAt(url)(input, AbortSignal.timeout(5000))).catch(error => error)
    t.type(error, NoDecisionError)
    codes.push(error.message)
  }
  t.strictSame(codes.slice(4).map(code => code.replace('EAI_AGAIN', 'ENOTFOUND').replace('ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO')),
    ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'ECONNRESET'])
  const listed = Object.keys(causes).flatMap(key => key.split(', '))
  t.strictSame(codes.filter(code => !listed.includes(code)), [])
})

t.test('a remedy is one line of whole sentences', async t => {
  for (const [code, remedy] of Object.entries(causes)) t.match(remedy, /^[A-Z`][^\n|]+\.$/, code)
})
