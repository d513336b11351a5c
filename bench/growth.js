import { load, loader, measure } from './load.js'
import { start } from './server.js'
import { cluster, serviceSilent } from './targets.js'

const usual = { target: serviceSilent, connections: 64, size: 0 }

/** One figure grows; the others are as in the HTTP part. */
const everything = [
  ...[1, 10, 100, 1000].map(value => ({ ...usual, what: 'connections', value, connections: value })),
  ...[200, 1000, 10_000, 100_000].map(value => ({ ...usual, what: 'bytes of body', value, size: value })),
  ...[1, 2].map(value => ({ ...usual, what: 'processes', value, target: cluster(value) }))
]

const little = everything.filter(({ value }) => value === 100_000 || value === 2)

async function grow ({ target, connections, size }, { seconds, warmUp, directory }) {
  const server = await start(target, directory)
  if (warmUp > 0) await load({ port: server.port, connections, size, seconds: warmUp, directory })
  const figures = await measure(server, { connections, size, seconds, directory })
  await server.stop()
  return figures
}

/** Resident memory of the service in MB, soon after the start and then after each tenth of `total` signatures or so. */
async function memoryOver (total, shortest, directory, say) {
  const server = await start(serviceSilent, directory)
  const points = []
  let signatures = 0
  let errors = 0
  let seconds = shortest
  while (signatures < total) {
    const figures = await measure(server, { seconds, directory })
    signatures += figures.requests
    errors += figures.errors
    seconds = Math.max(shortest, Math.round(total / 10 / figures.requestsPerSecond))
    points.push({ signatures, memory: figures.memory })
    say(`${signatures} signatures: ${figures.memory.toFixed(1)} MB`)
  }
  await server.check()
  await server.stop()
  return { points, errors }
}

/** What more connections, larger bodies, more processes and more signatures do to the service. */
export async function growth ({ rounds = 3, seconds = 5, warmUp = 2, smoke, directory, say }) {
  const rows = (smoke ? little : everything).map(row => ({ row, rounds: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const { row, rounds: done } of rows) {
      done.push(await grow(row, { seconds, warmUp, directory }))
      say(`round ${round + 1} of ${rounds}: ${row.what} ${row.value}, ${done.at(-1).requestsPerSecond.toFixed(0)}/s`)
    }
  }
  return {
    loader: loader(seconds),
    seconds,
    rows: rows.map(({ row: { what, value }, rounds }) => ({ what, value, rounds })),
    memory: await memoryOver(smoke ? 100 : 10_000_000, Math.min(1, seconds), directory, say)
  }
}
