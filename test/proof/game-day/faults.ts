import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Scope } from '../../support/server.js'
import { previousBuild, previousCommit } from '../../support/previous-build.js'
import { acceleration, otherToken, policy, until } from './stage.js'
import type { Stage } from './stage.js'

export interface Fault {
  /** Alerts that must fire, without their common prefix. */
  alerts: string[]
  /** Alerts that may fire as well. */
  also?: string[]
  /** Least and largest share of requests that fail while the fault lasts. */
  failing: [least: number, most: number]
  /** Variables of both instances. */
  variables?: (folder: string) => Record<string, string>
  /** Returns the reason why the fault cannot be tried on this machine; false if it can. */
  skip?: () => string | false
  /** Runs before the instances start. Returns the script that they run at first. */
  prepare?: (t: Scope) => string
  /** Duration of requests before the fault, in milliseconds. Default: 2000, which is a few scrapes. */
  before?: number
  strike: (stage: Stage) => unknown
  mend?: (stage: Stage) => unknown
  /** Token of the signatures after the fault. Default: the first one. */
  token?: string
  /** Shortest duration of the fault, in milliseconds. Default: 5000. */
  lasting?: number
}

const none: Fault['failing'] = [0, 0]
const all: Fault['failing'] = [0.8, 1]

const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const clock: Pick<Fault, 'variables' | 'skip' | 'mend'> = {
  skip: () => !existsSync(faketime) && 'libfaketime is not installed',
  variables: folder => ({
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: `${folder}/clock`,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1'
  }),
  mend: stage => stage.write('clock', '+0')
}

const disk = 'audit/filler'
const mount = (...args: string[]) => spawnSync('mount', args).status === 0
const backendAlerts = { alerts: ['Unavailable'], also: ['Overloaded'] }

/** SignaturesFell compares with an hour before. */
const refusing: Pick<Fault, 'alerts' | 'also' | 'before'> = {
  alerts: ['SignaturesFell'], also: ['InstancesDiffer'], before: 80 * 60_000 / acceleration
}

let slowness: NodeJS.Timeout

/** The service polls its files every 10 seconds. */
const lasting = 12_000

export const faults: Record<string, Fault> = {
  'instance-killed': {
    alerts: ['Down'],
    failing: none,
    strike: ({ instances }) => instances[0].process.kill('SIGKILL'),
    mend: stage => stage.restart(0)
  },
  'instance-stopped': {
    alerts: ['Down'],
    failing: none,
    lasting: 12_000,
    strike: ({ instances }) => instances[0].process.kill('SIGSTOP'),
    mend: ({ instances }) => instances[0].process.kill('SIGCONT')
  },
  'instance-slow': { // stopped for 95 % of the time
    alerts: ['Down'],
    also: ['Overloaded', 'Unavailable', 'RedisDown'],
    failing: [0, 0.1],
    strike: ({ instances: [{ process }] }) => {
      slowness = setInterval(async () => {
        process.kill('SIGSTOP')
        await setTimeout(1900)
        process.kill('SIGCONT')
      }, 2000)
    },
    mend: async () => {
      clearInterval(slowness)
      await setTimeout(2000)
    }
  },
  'redis-killed': {
    alerts: ['RedisDown'], failing: none, strike: ({ redis }) => redis.kill('SIGKILL'), mend: stage => stage.startRedis()
  },
  'redis-stopped': {
    alerts: ['RedisDown'], failing: none, strike: ({ redis }) => redis.kill('SIGSTOP'), mend: ({ redis }) => redis.kill('SIGCONT')
  },
  'redis-read-only': {
    alerts: ['RedisDown'],
    failing: none,
    strike: ({ redis }) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    mend: ({ redis }) => redis.command('REPLICAOF', 'NO', 'ONE')
  },
  'redis-wrong-password': {
    alerts: ['RedisDown'],
    failing: none,
    async strike ({ redis }) {
      await redis.command('ACL', 'SETUSER', 'service', 'resetpass', '>two')
      await redis.command('CLIENT', 'KILL', 'USER', 'service')
    },
    mend: ({ redis }) => redis.command('ACL', 'SETUSER', 'service', 'resetpass', '>one')
  },
  'backend-down': { ...backendAlerts, failing: all, strike: ({ backend }) => backend.down(), mend: ({ backend }) => backend.answer('yes') },
  'backend-slow': { ...backendAlerts, failing: all, strike: ({ backend }) => backend.answer('never'), mend: ({ backend }) => backend.answer('yes') },
  'backend-garbage': { ...backendAlerts, failing: all, strike: ({ backend }) => backend.answer('garbage'), mend: ({ backend }) => backend.answer('yes') },
  'disk-full': {
    alerts: ['AuditDown'],
    also: ['Unavailable', 'LinesLost'],
    failing: all,
    skip: () => {
      const isMounted = mount('-t', 'tmpfs', 'game-day', '/mnt') && spawnSync('umount', ['/mnt']).status === 0
      return !isMounted && 'a tmpfs cannot be mounted'
    },
    prepare (t) {
      const folder = `${t.testdir()}/audit`
      spawnSync('mkdir', [folder])
      mount('-t', 'tmpfs', '-o', 'size=16m', 'game-day', folder)
      t.teardown(() => spawnSync('umount', ['--lazy', folder]))
      return 'dist/src/server.js'
    },
    strike: ({ file }) => {
      try {
        writeFileSync(file(disk), Buffer.alloc(16 * 2 ** 20))
      } catch {} // full
    },
    mend: ({ file }) => rmSync(file(disk))
  },
  'audit-file-deleted': {
    alerts: [],
    also: ['AuditDown', 'Unavailable'],
    failing: [0, 0.5],
    async strike (stage) {
      const paths = [0, 1].map(index => stage.file(`audit/${index}.log`))
      for (const path of paths) {
        linkSync(path, `${path}.kept`)
        rmSync(path)
      }
      await setTimeout(1500) // the service checks its files every second
      stage.keptAudit = paths.map(path => readFileSync(`${path}.kept`, 'utf8')).join('')
    }
  },
  'token-replaced': {
    alerts: [], failing: none, lasting, token: otherToken, strike: ({ write }) => write('token', otherToken)
  },
  'token-broken': { alerts: ['FileNotReloaded'], failing: none, lasting, strike: ({ write }) => write('token', Buffer.from([0xff])) },
  'token-emptied': { alerts: ['FileNotReloaded'], failing: none, lasting, strike: ({ write }) => write('token', '') },
  'policy-replaced': { // the new policy refuses the amount of the requests
    ...refusing,
    failing: [0.1, 1],
    strike: ({ write }) => write('policy.json', policy('50.00')),
    mend: ({ write }) => write('policy.json', policy('500.00'))
  },
  'policy-broken': { alerts: ['FileNotReloaded'], failing: none, lasting, strike: ({ write }) => write('policy.json', '{') },
  'policy-emptied': { alerts: ['FileNotReloaded'], failing: none, lasting, strike: ({ write }) => write('policy.json', '') },
  'clock-2-hours-ahead': { ...clock, alerts: [], failing: none, strike: ({ write }) => write('clock', '+2h') },
  'clock-2-hours-behind': { ...clock, alerts: [], failing: none, strike: ({ write }) => write('clock', '-2h') },
  'clock-2-days-behind': { // time stamps are more than a day ahead of this clock
    ...clock, ...refusing, failing: [0.9, 1], strike: ({ write }) => write('clock', '-2d')
  },
  'rolling-upgrade': {
    alerts: [],
    also: ['Down'],
    failing: none,
    prepare (t) {
      const { script, skip } = previousBuild(t)
      if (skip !== false) throw new Error(skip)
      return script
    },
    skip: () => spawnSync('git', ['cat-file', '-e', previousCommit]).status !== 0 && `this clone lacks commit ${previousCommit}`,
    async strike (stage) {
      for (const index of [0, 1] as const) {
        stage.instances[index].process.kill('SIGTERM')
        await stage.instances[index].ended
        stage.restart(index)
        await until(() => stage.isReady(index), 20_000)
        await setTimeout(5000) // the documented pause between two restarts
      }
    }
  }
}
