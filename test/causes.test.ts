import { readFileSync, symlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { NoDecisionError } from '../src/guards/authorize/answer.js'
import { backendAt } from '../src/guards/authorize/backend.js'
import { tcpServer } from './support/backend.js'
import { root } from './support/server.js'

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
    const error = await backendAt(url, 5000)(input).catch(error => error)
    t.type(error, NoDecisionError)
    codes.push(error.message)
  }
  t.strictSame(codes.slice(4).map(code => code.replace('EAI_AGAIN', 'ENOTFOUND').replace('ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO')),
    ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'ECONNRESET'])
  const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  const [, table = ''] = page.split('## Causes in the log')
  t.strictSame(codes.filter(code => !table.includes(`\`${code}\``)), [])
})
