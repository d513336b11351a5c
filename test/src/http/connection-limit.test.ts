import t from 'tap'
import { connectionLimit } from '../../../src/http/connection-limit.js'

t.test('4,000 connections, or the limit of open files less 100, but at least half of it', async t => {
  for (const [files, maxConnections, isLower] of [
    [1_048_576, 4000, false], [4100, 4000, false], [4099, 3999, true], [1024, 924, true],
    [201, 101, true], [200, 100, true], [199, 99, true], [64, 32, true], [1, 0, true]
  ] as const) {
    const limit = { maxConnections, ...isLower && { files } }
    t.strictSame(connectionLimit(files), limit, String(files))
  }
})
