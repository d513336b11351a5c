import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { load } from '../support/load.js'
import { listening, root, sayingWhere, server, start } from '../support/server.js'
import { inScope, percentile, table } from './part.js'
import type { Part } from './part.js'
import { scoped } from '../support/scope.js'

/** Arguments of slowhttptest: four attacks of its documentation. */
const slowhttptest = {
  'slow headers': ['-H'],
  'slow body': ['-B', '-t', 'POST', '-f', 'application/json'],
  'range headers': ['-R', '-t', 'HEAD'],
  'slow read': ['-X', '-k', '3', '-w', '1', '-y', '16', '-n', '5', '-z', '8']
}

/** Returns the number of open connections to a local port (Linux). */
function connectionsTo (port: string): number {
  const local = new RegExp(`^ *\\d+: 0100007F:${Number(port).toString(16).toUpperCase().padStart(4, '0')} \\S+ 01 `, 'gm')
  return readFileSync('/proc/net/tcp', 'utf8').match(local)?.length ?? 0
}

export const slow: Part = {
  name: 'slow',
  shows: 'Honest clients are answered while others hold thousands of connections with slow, unread or no requests.',
  programs: ['slowhttptest'],
  run: inScope('slow', async (t, { short, note, signal }) => {
    const [seconds, many, most, unread] = short ? [5, 500, 1000, 20] : [20, 4000, 10_000, 100]
    const service = server(t, { LOG_LEVEL: 'error' }, { nodeOptions: [sayingWhere] })
    const port = String((await service.says(listening))[1])
    const script = (kind: string, count: number) => [process.execPath, join(root, 'dist/test/proof/attack.js'), kind, port, String(count)]
    const attacks: Record<string, string[] | undefined> = {
      'no attack': undefined,
      ...Object.fromEntries(Object.entries(slowhttptest).map(([name, args]) => [`${name}, ${many} connections`, [
        'slowhttptest', ...args, '-c', String(many), '-r', '1000', '-i', '5', '-l', String(seconds),
        '-u', `http://127.0.0.1:${port}/api/generate-signature`
      ]])),
      [`pipelining without reading, ${unread} connections`]: script('unread', unread),
      [`${most} idle connections`]: script('idle', most),
      'after the attacks': undefined
    }
    const rows: Array<Array<string | number>> = []
    const failures: string[] = []
    let requests = 0

    for (const [name, attack] of Object.entries(attacks)) {
      if (signal.aborted) break
      await scoped('attack', async scope => {
        const [command, ...args] = attack ?? []
        if (command !== undefined) start(scope, command, args, { cwd: scope.testdir(), env: process.env })
        await setTimeout(command === undefined ? 0 : 1000)
        const times: number[] = []
        const clients = load(Number(port), 20, undefined, (_answer, milliseconds) => times.push(milliseconds))
        let held = 0
        const counting = setInterval(() => { held = Math.max(held, connectionsTo(port)) }, 500)
        await setTimeout(seconds * 1000)
        clearInterval(counting)
        const { signed, failures: failed } = await clients.stop()
        failures.push(...failed.map(failure => `- ${name}: ${failure}`))
        requests += signed + failed.length
        const [median, high] = [0.5, 0.99].map(share => percentile(times, share).toFixed(1))
        rows.push([name, held, signed, failed.length, median ?? '', high ?? '', Math.max(...times).toFixed(1)])
        note(rows.at(-1)!.join(' | '))
      })
    }
    return {
      passed: failures.length === 0 && !signal.aborted,
      figures: { requests, failed: failures.length },
      details: [
        '20 honest clients send a request every 20 ms. 16 keep their connections open, 4 open a new one each time: a new one ' +
          'waits longer while many connections are busy. Times in ms.',
        table(['attack', 'most connections', 'signed', 'failed', 'median', 'p99', 'longest'], rows),
        ...failures.slice(0, 10)
      ].join('\n\n')
    }
  })
}
