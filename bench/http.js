import { load, loader, measure } from './load.js'
import { start } from './server.js'
import { rotated } from './statistics.js'
import { httpTargets } from './targets.js'

async function round (target, { directory, seconds, warmUp }) {
  const server = await start(target, directory)
  if (warmUp > 0) await load({ port: server.port, seconds: warmUp, directory })
  const figures = await measure(server, { seconds, directory })
  await server.check()
  await server.stop()
  return figures
}

/** Every target in every round, each time in a fresh process. */
export async function http ({ rounds = 7, seconds = 5, warmUp = 2, smoke, directory, say }) {
  const targets = httpTargets(directory)
    .filter(({ isOneGuard }) => !(smoke && isOneGuard))
    .map(target => ({ target, rounds: [] }))
  for (let number = 0; number < rounds; number++) {
    for (const { target, rounds: done } of rotated(targets, number)) {
      const figures = await round(target, { directory, seconds, warmUp })
      done.push(figures)
      say(`round ${number + 1} of ${rounds}: ${target.label}, ${figures.cpu.toFixed(1)} µs, ${figures.errors} errors`)
    }
  }
  return {
    loader: loader(seconds),
    connections: 64,
    seconds,
    targets: targets.map(({ target: { name, label, isOurs = false }, rounds }) => ({ name, label, isOurs, rounds }))
  }
}
