import * as fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'

t.test('a line is written in as many parts as the pipe takes, and a full pipe is waited for', async t => {
  const faults = [undefined, 'EAGAIN', 'EAGAIN', undefined, undefined]
  let written = ''
  const writeSync = (fd: number, bytes: Buffer) => {
    const code = faults.shift()
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    written += `${fd}:${bytes.subarray(0, 3).toString('latin1')} `
    return Math.min(3, bytes.length)
  }
  const { stdout } = await t.mockImport<typeof import('../../../src/service/stdout.js')>('../../../src/service/stdout.js', {
    'node:fs': { ...fs, writeSync }
  })
  stdout.write('{"é')
  stdout.write('"}\n')
  t.equal(written, '', 'not yet')
  await setImmediate()
  t.equal(written, '1:{"\u00c3 1:\u00a9"} 1:\n ')
})

t.test('what cannot be written is lost, and the next line is not', async t => {
  for (const code of ['ENOSPC', 'EIO', 'EPIPE']) {
    let calls = 0
    const writeSync = (_fd: number, { length }: Buffer) => {
      if (calls++ === 0) throw Object.assign(new Error(code), { code })
      return length
    }
    const { stdout } = await t.mockImport<typeof import('../../../src/service/stdout.js')>('../../../src/service/stdout.js', {
      'node:fs': { ...fs, writeSync }
    })
    stdout.write('lost\n')
    await setImmediate()
    t.equal(calls, 1, code)
    stdout.write('written\n')
    await setImmediate()
    t.equal(calls, 2, code)
  }
})
