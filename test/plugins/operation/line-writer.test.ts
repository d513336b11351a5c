import { spawnSync } from 'node:child_process'
import fs, { closeSync, constants, existsSync, openSync, readSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { LineWriter } from '../../../plugins/operation/line-writer.js'

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

t.test('two processes on one file of a full disk: only the line that was cut is unreadable', async t => {
  let disk = ''
  let space = 7
  const { writeSync } = fs
  const limited = (_fd: number, bytes: Buffer) => {
    if (space === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    const taken = bytes.subarray(0, space)
    space -= taken.length
    disk += taken
    return taken.length
  }
  t.teardown(() => {
    fs.writeSync = writeSync
    syncBuiltinESMExports()
  })
  fs.writeSync = limited as typeof writeSync
  syncBuiltinESMExports()
  const [one, two] = [new LineWriter(-1), new LineWriter(-1)]
  one.write('{"n":1}\n') // all but its end
  one.finish()
  for (let times = 0; times < 2; times++) {
    two.write('{"n":2}\n')
    two.finish()
  }
  t.strictSame([one.lost, two.lost], [0, 2], 'the rest of the cut line may follow')
  space = 1000
  two.write('{"n":3}\n')
  two.finish()
  one.write('{"n":4}\n')
  one.finish()
  t.equal(disk, '{"n":1}\n{"n":3}\n\n{"n":4}\n')
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

t.test('at exit, lines are written for at most a second', async t => {
  const time = clock(t)
  const { writer, read } = pipe(t)
  writer.write('line\n')
  writer.finish()
  t.equal(read(), 'line\n')

  t.intercept(Atomics, 'wait', { value: () => { time.now += 100 } }) // no reader runs meanwhile
  const before = time.now
  const started = t.capture(globalThis, 'setTimeout', globalThis.setTimeout)
  const ended = t.capture(globalThis, 'clearTimeout', clearTimeout)
  writer.write('a'.repeat(70_000))
  writer.finish()
  t.equal(time.now - before, 1000)
  const waiting = new Set(started().map(call => 'returned' in call ? call.returned : undefined))
  for (const { args: [timer] } of ended()) waiting.delete(timer as NodeJS.Timeout)
  t.equal(waiting.size, 1, 'timers, although the pipe was full ten times')
})
