import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, renameSync, rmdirSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { body, signature } from '../support/example.js'
import { randomOf } from '../support/random.js'
import { temporaryFolder } from '../support/scope.js'
import { listening, sayingWhere, server } from '../support/server.js'

/** Number of requests. */
const total = 6000

const isMountable = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0

t.test('AUDIT=required: no signature without its line, whatever happens to disk, file and folder, with clients that hang up', {
  skip: !isMountable && 'only root can mount a small disk'
}, async t => {
  const disk = temporaryFolder(t, 'disk-')
  t.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status, 0)
  t.teardown(() => { spawnSync('umount', ['-l', disk]) })
  const [folder, filler, elsewhere] = [join(disk, 'folder'), join(disk, 'filler'), join(disk, 'elsewhere')]
  const file = join(folder, 'audit')
  mkdirSync(folder)
  const service = server(t, { AUDIT: 'required', AUDIT_FILE: file, LOG_LEVEL: 'warn' }, { nodeOptions: [sayingWhere] })
  const port = Number((await service.says(listening))[1])

  const kept: number[] = [] // every file that there was; the last ones may have no name
  const keep = () => kept.push(openSync(file, 'r'))
  /** Fills the disk but for some bytes. */
  const fill = (rest: number) => {
    const { bavail, bsize } = statfsSync(disk)
    try {
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - rest)), { flag: 'a' })
    } catch {} // the service has written meanwhile
    return () => rmSync(filler)
  }
  /** Changes the disk, each followed by a function that restores it. */
  const faults: ReadonlyArray<() => () => void> = [
    () => fill(0),
    () => fill(4096), // a write is cut
    () => {
      renameSync(file, `${file}.1`)
      return () => {}
    },
    () => {
      unlinkSync(file)
      return () => {}
    },
    () => {
      writeFileSync(`${file}.new`, '{"msg":"not ended"', { mode: 0o600 })
      renameSync(`${file}.new`, file)
      return () => {}
    },
    () => {
      unlinkSync(file)
      mkdirSync(file)
      return () => rmdirSync(file)
    },
    () => {
      renameSync(folder, elsewhere)
      return () => renameSync(elsewhere, folder)
    }
  ]

  const random = randomOf(1)
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  t.teardown(() => agent.destroy())
  const statuses: Record<string, number> = {}
  const signed: string[] = []
  const wrong: string[] = []
  let sent = 0

  const ask = (id: string): Promise<void> => new Promise(resolve => {
    const outgoing = send({
      port, agent, method: 'POST', path: '/api/generate-signature', headers: { 'content-type': 'application/json', 'x-request-id': id }
    }, async response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => { text += chunk }).on('error', () => {})
      response.on('close', () => {
        statuses[`${response.statusCode}`] = (statuses[`${response.statusCode}`] ?? 0) + 1
        if (text.includes(signature)) signed.push(id)
        else if (response.statusCode !== 503 && response.complete) wrong.push(`${response.statusCode} ${text}`)
        resolve()
      })
    })
    outgoing.on('error', () => {
      statuses.hungUp = (statuses.hungUp ?? 0) + 1
      resolve()
    })
    outgoing.end(body)
    if (random() < 0.1) setTimeout(() => outgoing.destroy(), random() * 5)
  })

  let restore = () => {}
  async function client () {
    while (sent < total) {
      if (++sent % 100 === 50) {
        restore()
        restore = () => {}
      } else if (sent % 100 === 0) {
        keep()
        restore = faults[Math.floor(random() * faults.length)]!()
      }
      await ask(`id-${sent}`)
    }
  }
  keep()
  await Promise.all(Array.from({ length: 32 }, client))
  restore()
  await ask('the-last')
  keep()

  const recorded = new Set<string>()
  for (const fd of kept) {
    for (const line of readFileSync(fd, 'utf8').split('\n').filter(line => line.endsWith('}'))) {
      const { reqId, audit } = JSON.parse(line)
      if (audit?.outcome === 'signed') recorded.add(reqId)
    }
  }
  t.strictSame(signed.filter(id => !recorded.has(id)), [], 'signed without a line')
  t.strictSame(wrong, [])
  t.ok(signed.includes('the-last'), 'it recovers')
  const { 503: failed = 0, hungUp = 0 } = statuses
  t.ok(signed.length > total / 4 && failed > total / 50 && hungUp > total / 100, JSON.stringify(statuses))
  t.match(service.output(), '"msg":"decisions are recorded again"')
})
