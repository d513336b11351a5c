import { statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './load.js'
import { leaveServerProcessor, loadProcessor, serverProcessor } from './processors.js'
import { say, table, temporaryDirectory } from './report.js'
import { start } from './server.js'
import { isBeyond, median, timesAsFast } from './statistics.js'

const { values: { against, memory, ...options } } = parseArgs({
  options: {
    against: { type: 'string' },
    memory: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' }
  }
})
const { rounds = 15, seconds = memory ? 25 : 3 } =
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, Number(value)]))
if (!(rounds >= 1 && seconds > 0)) throw new Error('--rounds and --seconds take numbers above 0')

const silent = { LOG_LEVEL: 'silent' }
const serviceIn = checkout => join(checkout, 'dist/src/server.js')
const here = serviceIn(join(import.meta.dirname, '..'))
const peer = name => join(import.meta.dirname, `${name}.js`)

const off = { label: 'service, log off', file: here, env: silent }
const on = { label: 'service, default log', file: here }
const again = { ...off, label: 'service, log off, once more' }
const fastify = { label: 'bare Fastify that signs', file: peer('fastify') }
const express = { label: 'Express 5, no log', file: peer('express') }

const noise = [again, off]

/** What is measured, and which of it is compared with which under load and at its start. */
function plan () {
  if (against === undefined) {
    return {
      targets: [fastify, off, express, on, again],
      loads: [noise, [off, express], [off, fastify], [on, off]],
      starts: [noise, [off, fastify]]
    }
  }
  const path = resolve(against)
  const there = statSync(path).isDirectory() ? serviceIn(path) : path
  const thereOff = { label: 'the other, log off', file: there, env: silent }
  const thereOn = { label: 'the other, default log', file: there }
  const pairs = [noise, [off, thereOff], [on, thereOn]]
  return { targets: [off, thereOff, on, thereOn, again], loads: pairs, starts: pairs }
}

const directory = temporaryDirectory('bench')

/** Every target in every round, in a process of its own; each round begins with another one. */
async function compare () {
  const { targets, loads, starts } = plan()
  const figures = new Map(targets.map(target => [target, []]))
  for (let round = 0; round < rounds; round++) {
    const first = round % targets.length
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      const server = await start(target, directory)
      await measure(server, Math.min(2, seconds)) // to warm up
      const measured = await measure(server, seconds)
      await server.stop()
      figures.get(target).push({ startTime: server.startTime, ...measured })
      say(`round ${round + 1} of ${rounds}: ${target.label}, ${measured.microseconds.toFixed(1)} µs`)
    }
  }

  const all = (target, figure) => figures.get(target).map(round => round[figure])
  const compared = (pairs, figure) => {
    const results = pairs.map(([one, other]) => timesAsFast(all(one, figure), all(other, figure)))
    return results.map(({ ratio, low, high }, index) => [
      pairs[index].map(({ label }) => label).join(', against '),
      ratio.toFixed(2),
      `${low.toFixed(2)}-${high.toFixed(2)}`,
      pairs[index] === noise ? 'is the noise' : isBeyond(results[0], results[index]) ? 'yes' : 'no'
    ])
  }
  const head = what => [`times as fast ${what}`, 'median', rounds < 6 ? 'range' : '95 %', 'beyond the noise']
  return table(head('for each request'), compared(loads, 'microseconds')) +
    table(head('to start'), compared(starts, 'startTime')) +
    table(['', 'µs of processor', 'requests/s', 'start, ms', 'memory, MB'], targets.map(target => [
      target.label,
      median(all(target, 'microseconds')).toFixed(1),
      ...['perSecond', 'startTime', 'memory'].map(figure => median(all(target, figure)).toFixed(0))
    ]))
}

/** Memory of one process, the longer it signs. */
async function follow () {
  const server = await start(on, directory)
  const rows = []
  let signatures = 0
  for (let round = 0; round < rounds; round++) {
    const { requests, memory } = await measure(server, seconds)
    signatures += requests
    rows.push([(signatures / 1e6).toFixed(2), memory.toFixed(1)])
    say(`${signatures} signatures: ${memory.toFixed(1)} MB`)
  }
  await server.stop()
  return table(['millions of signatures', 'memory, MB'], rows)
}

leaveServerProcessor()
const tables = await (memory ? follow() : compare())
process.stdout.write(`${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model}, server on ` +
  `processor ${serverProcessor}, load on ${loadProcessor}, Node ${process.version}, ${rounds} rounds of ${seconds} s\n${tables}`)
