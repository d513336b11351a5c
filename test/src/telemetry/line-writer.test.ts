import { spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { LineWriter } from '../../../src/telemetry/line-writer.js'
import { root, server } from '../../support/server.js'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** A named pipe, whose reader can close and reopen it. */
function pipe (t: Test) {
  const path = join(t.testdir(), 'pipe')
  spawnSync('mkfifo', [path])
  let reader = openSync(path, O_RDONLY | O_NONBLOCK)
  const fd = openSync(path, O_WRONLY | O_NONBLOCK)
  const bytes = Buffer.alloc(1 << 16)
  const alive = setInterval(() => {}, 1000) // keeps the process alive, as a server does
  t.teardown(() => clearInterval(alive))
  return {
    writer: new LineWriter(fd),
    /** Reads at most 64 KiB, each byte as a character, since the text may end within a character. */
    read (): string {
      try {
        return bytes.toString('latin1', 0, readSync(reader, bytes))
      } catch {
        return '' // EAGAIN: nothing
      }
    },
    closeReader: () => closeSync(reader),
    openReader () { reader = openSync(path, O_RDONLY | O_NONBLOCK) }
  }
}

/** Reads until the text ends with `last`. */
async function readUntil (read: () => string, last: string): Promise<string> {
  let text = ''
  while (!text.endsWith(last)) {
    text += read()
    await setImmediate()
  }
  return text
}

/** The clock of the writer, which tests set. */
function clock (t: Test): { now: number } {
  const time = { now: 1_000_000 }
  t.intercept(performance, 'now', { value: () => time.now })
  return time
}

t.test('lines of one turn are written at its end', async t => {
  const { writer, read } = pipe(t)
  writer.write('one\n')
  writer.write('two\n')
  t.equal(read(), '')
  await setImmediate()
  t.equal(read(), 'one\ntwo\n')
})

t.test('a full pipe does not block, and nothing is lost once it is read', async t => {
  const { writer, read } = pipe(t)
  const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'é'.repeat(30)}\n`)
  for (const line of lines) writer.write(line)
  await setImmediate()
  writer.write('last\n')
  const text = await readUntil(read, 'last\n')
  t.equal(Buffer.from(text, 'latin1').toString(), `${lines.join('')}last\n`)
  t.equal(writer.lost, 0)
})

t.test('beyond 4 MiB, whole lines are dropped, counted and reported once', async t => {
  const { writer, read } = pipe(t)
  const said: number[] = []
  writer.onRecovery = lost => said.push(lost)
  const line = `${'x'.repeat((1 << 20) - 1)}\n`
  for (let count = 0; count < 6; count++) writer.write(line)
  t.equal(writer.lost, 2)
  await setImmediate() // 64 KiB are out: a line of that length fits
  writer.write(`${'y'.repeat(65_534)}\n`)
  writer.write('too much\n')
  t.equal(writer.lost, 3)
  const text = await readUntil(read, 'y\n')
  t.ok(text === `${line.repeat(4)}${'y'.repeat(65_534)}\n`, 'no line is cut')
  t.strictSame(said, [3])
  writer.write('more\n')
  await readUntil(read, 'more\n')
  t.strictSame(said, [3])
})

t.test('without a reader, lines are dropped; the next reader gets the rest of the cut line, then whole lines', async t => {
  const { writer, read, closeReader, openReader } = pipe(t)
  const said: number[] = []
  writer.onRecovery = lost => said.push(lost)
  const done: Array<Error | undefined> = []
  writer.write(`${'a'.repeat(70_000)}\n`)
  writer.write('lost with its reader\n')
  await setImmediate()
  writer.write('lost as well\n', error => done.push(error))
  t.equal(read(), 'a'.repeat(65_536))
  closeReader()
  while (writer.lost === 0) await setImmediate()
  t.equal(writer.lost, 2)
  t.match(done, [{ code: 'EPIPE' }])

  writer.write('lost again\n')
  while (writer.lost === 2) await setImmediate()
  openReader()
  writer.write('heard\n')
  t.equal(await readUntil(read, 'heard\n'), `${'a'.repeat(70_000 - 65_536)}\nheard\n`)
  t.equal(writer.lost, 3)
  t.strictSame(said, [3])
})

const noFull = !existsSync('/dev/full') && 'there is no /dev/full'

t.test('a full disk', { skip: noFull }, async t => {
  const writer = new LineWriter(openSync('/dev/full', 'w'))
  writer.write('one\ntwo\n')
  const error = await new Promise(resolve => writer.write('three\n', resolve))
  t.match(error, { code: 'ENOSPC' })
  t.equal(writer.lost, 3)
})

t.test('the callback of a line runs after the write', async t => {
  const { writer, read } = pipe(t)
  const error = await new Promise(resolve => writer.write('line\n', resolve))
  t.equal(error, undefined)
  t.equal(read(), 'line\n')
})

t.test('after a second without a reader, the callback of a line gets an error, and those of later lines at once', async t => {
  const time = clock(t)
  const { writer, read } = pipe(t)
  const full = `${'a'.repeat(65_535)}\n`
  writer.write(full)
  const first = new Promise<Error | undefined>(resolve => writer.write('first\n', resolve))
  await setImmediate()
  time.now += 999
  let second: Error | undefined | null = null
  writer.write('second\n', error => { second = error })
  t.equal(second, null, 'a second is not over')
  time.now += 2
  t.match(await first, { message: 'nobody reads' })
  t.match(second, { message: 'nobody reads' })
  let third
  writer.write('third\n', error => { third = error })
  t.match(third, { message: 'nobody reads' })
  t.equal(writer.lost, 1, 'the others may still get out')
  t.equal(await readUntil(read, 'second\n'), `${full}first\nsecond\n`)
  t.equal(await new Promise(resolve => writer.write('fourth\n', resolve)), undefined)
})

t.test('the callback of a line without room gets an error at once', async t => {
  const { writer } = pipe(t)
  writer.write(`${'x'.repeat(4 << 20)}`)
  let error
  writer.write('too much\n', outcome => { error = outcome })
  t.match(error, { message: 'nobody reads' })
  t.equal(writer.lost, 1)
})

t.test('at exit, lines are written for at most a second', async t => {
  const time = clock(t)
  const { writer, read } = pipe(t)
  writer.write('line\n')
  writer.finish()
  t.equal(read(), 'line\n')

  t.intercept(Atomics, 'wait', { value: () => { time.now += 100 } }) // no reader runs meanwhile
  const before = time.now
  const started = t.capture(globalThis, 'setTimeout', setTimeout)
  const ended = t.capture(globalThis, 'clearTimeout', clearTimeout)
  writer.write('a'.repeat(70_000))
  writer.finish()
  t.equal(time.now - before, 1000)
  const waiting = new Set(started().map(call => 'returned' in call ? call.returned : undefined))
  for (const { args: [timer] } of ended()) waiting.delete(timer as NodeJS.Timeout)
  t.equal(waiting.size, 1, 'timers, although the pipe was full ten times')
})

t.test('a new descriptor gets whole lines', async t => {
  const { writer } = pipe(t)
  const folder = t.testdir({ file: '' })
  const done: Array<Error | undefined> = []
  writer.write(`${'a'.repeat(70_000)}\n`)
  writer.write('lost\n', error => done.push(error))
  const before = writer.replace(openSync(join(folder, 'file'), 'w'))
  closeSync(before)
  t.match(done, [{ message: 'replaced' }])
  t.equal(writer.lost, 2, 'also the one that the other descriptor has the beginning of')
  await new Promise(resolve => writer.write('line\n', resolve))
  t.equal(readFileSync(join(folder, 'file'), 'utf8'), 'line\n')
})

t.test('writing to a full pipe waits and loses nothing', async t => {
  // More than a pipe holds, in multi-byte characters. After an access to process.stdout, the pipe is
  // non-blocking.
  const module = pathToFileURL(join(root, 'dist/src/telemetry/stdout.js'))
  const code = `process.stdout; const { stdout } = await import('${module}')
    stdout.write('é'.repeat(400_000) + '\\n')
    stdout.write('the next line\\n')`
  const program = server(t, {}, { nodeOptions: ['--input-type=module', '--eval', code] })
  t.equal(await program.ended, 0)
  t.ok(program.output() === `${'é'.repeat(400_000)}\nthe next line\n`, `${program.output().length} characters`)
})
