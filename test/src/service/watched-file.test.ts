import { join } from 'node:path'
import t, { type Test } from 'tap'
import { WatchedFile } from '../../../src/service/watched-file.js'

/** A file, of which a test says what each reading comes to. */
function watched (t: Test, use = () => true) {
  const readings: Array<{ resolve (content: string): void, reject (error: Error): void }> = []
  const said: string[] = []
  const used: string[] = []
  const counted: string[] = []
  const file = new WatchedFile<string>({
    path: join(t.testdir({ file: '' }), 'file'),
    setting: 'FILE',
    name: 'content',
    state: () => `state ${used.length}`,
    read: () => new Promise((resolve, reject) => { readings.push({ resolve, reject }) }),
    use (content) {
      used.push(content)
      return use()
    },
    count: result => { counted.push(result) }
  }, { info: say, error: say })
  function say (message: string): void { said.push(message) }
  return { file, readings, said, used, counted }
}

t.test('closed while it reads, it uses and says nothing any more', async t => {
  for (const outcome of ['resolve', 'reject'] as const) {
    const { file, readings, said, used, counted } = watched(t)
    const reading = file.reload()
    await Promise.resolve()
    file.close()
    if (outcome === 'resolve') readings[0]?.resolve('new')
    else readings[0]?.reject(new Error('faulty'))
    await reading
    await file.reload()
    t.equal(readings.length, 1)
    t.strictSame([...said, ...used, ...counted], [])
  }
})

t.test('it reads one after the other', async t => {
  const { file, readings, used } = watched(t)
  const both = [file.reload(), file.reload()]
  await Promise.resolve()
  t.equal(readings.length, 1)
  readings[0]?.resolve('older')
  await both[0]
  await Promise.resolve()
  readings[1]?.resolve('newer')
  await both[1]
  t.strictSame(used, ['older', 'newer'])
})

t.test('a content that cannot be used is a fault like any other, and the next one is read', async t => {
  let isUsable = false
  const { file, readings, said, counted } = watched(t, () => {
    if (!isUsable) throw new Error('not usable')
    return false
  })
  for (const isAsked of [true, false]) {
    const reading = file.reload(isAsked)
    await Promise.resolve()
    readings.at(-1)?.resolve('new')
    await reading
    isUsable = true
  }
  t.strictSame(said, ['not usable; keeping the current content, state 1', 'the content is unchanged, state 2'])
  t.strictSame(counted, ['failed', 'unchanged'])
})
