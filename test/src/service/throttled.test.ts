import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { throttled } from '../../../src/service/throttled.js'

t.test('at once, then in sum, then at once again', async t => {
  const said: Array<[number, string]> = []
  const lines = new EventEmitter()
  const happens = throttled<string>((times, latest) => {
    said.push([times, latest])
    lines.emit('line')
  }, 20)

  happens('first')
  t.strictSame(said, [[1, 'first']])
  for (const name of ['second', 'third', 'fourth']) happens(name)
  t.equal(said.length, 1)
  await once(lines, 'line')
  t.strictSame(said[1], [3, 'fourth'])

  await new Promise(resolve => setTimeout(resolve, 60)) // unref'd: an interval without any goes by
  happens('fifth')
  t.strictSame(said[2], [1, 'fifth'])
})
