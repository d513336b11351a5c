import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { load } from '../test/support/load.js'
import { without } from '../test/support/proxies.js'
import { withoutRedis } from '../test/support/redis.js'
import { root } from '../test/support/server.js'
import { faults } from './game-day/faults.js'
import type { Fault } from './game-day/faults.js'
import { acceleration, example, otherToken, rightAnswer, startStage, until } from './game-day/stage.js'
import { scoped } from './scope.js'

/*
 * Runs faults, each against two instances with every guard behind HAProxy as documented, under constant load, and
 * compares what each fault costs with what is expected. Without names it runs all faults and writes the table into
 * docs/operations.md.
 *
 *   npm run game-day -- [redis-killed backend-slow …]
 */
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(faults)
const unknown = names.filter(name => !(name in faults))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the faults are ${Object.keys(faults).join(', ')}`)
const missing = without('haproxy') || withoutRedis ||
  (spawnSync('prometheus', ['--version']).status !== 0 && 'prometheus is not installed')
if (missing !== false) throw new Error(missing)

const print = (line: string): void => { process.stdout.write(`${line}\n`) }
const seconds = (milliseconds: number) => `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`
const surprises: string[] = []
const rightAnswers = [rightAnswer(), rightAnswer(otherToken)]
const rows = [
  '| fault | requests | failed | wrong signatures | audit lines missing | alerts | detected after | recovered after |',
  '|---|---|---|---|---|---|---|---|'
]

/** Runs a fault and returns the cells of its row. */
async function run (name: string, fault: Fault): Promise<Array<string | number>> {
  const { alerts, also = [], failing: [least, most], lasting = 5000 } = fault
  const surprise = (text: string) => surprises.push(`${name}: ${text}`)
  return scoped('game-day', async t => {
    const script = fault.prepare?.(t)
    const stage = await startStage(t, fault.variables?.(t.testdir()) ?? {}, script)
    const answers: Array<{ at: number, isSigned: boolean, isWrong: boolean, id: string, text: string }> = []
    const clients = load(stage.port, 100, example, answer => {
      const [status, text] = answer instanceof Error ? [0, String(answer)] : [answer.status, answer.text]
      const isSigned = status === 200 && rightAnswers.includes(text)
      const id = answer instanceof Error ? '' : String(answer.headers['x-request-id'])
      answers.push({ at: Date.now(), isSigned, isWrong: status === 200 && !isSigned, id, text: `${status} ${text}` })
    })
    await clients.until(200)
    await setTimeout(2000) // a few scrapes
    const early = await stage.firing()
    if (early.length > 0) surprise(`fires before the fault: ${early.join(', ')}`)

    const fired = new Map<string, number>()
    const struck = Date.now()
    const watch = async () => {
      const alerts = await stage.firing().catch(() => [])
      for (const alert of alerts) if (!fired.has(alert)) fired.set(alert, Date.now() - struck)
    }
    const watching = setInterval(watch, 250)
    await fault.strike(stage)
    const isOver = () => Date.now() - struck >= lasting && alerts.every(alert => fired.has(alert))
    await until(isOver, 45_000)
    const mended = Date.now()
    await fault.mend?.(stage)
    let ready = 0
    const quiet = () => Date.now() - Math.max(mended, answers.findLast(({ isSigned }) => !isSigned)?.at ?? 0)
    const isRecovered = await until(async () => {
      if (!await stage.areReady()) ready = 0
      else ready ||= Date.now()
      return ready > 0 && quiet() > 3000
    }, 30_000)
    clearInterval(watching)
    await clients.stop()

    const failed = answers.filter(({ isSigned }) => !isSigned)
    const during = answers.filter(({ at }) => at >= struck && at <= mended)
    const share = during.filter(({ isSigned }) => !isSigned).length / during.length
    const wrong = answers.filter(({ isWrong }) => isWrong).length
    const audit = `${stage.keptAudit}${stage.audit()}`
    const recorded = new Set([...audit.matchAll(/"reqId":"([^"]+)".*"outcome":"signed"/g)].map(([, id]) => id))
    const unrecorded = answers.filter(({ isSigned, id }) => isSigned && !recorded.has(id)).length
    const lastFailure = failed.at(-1)?.at ?? 0

    if (wrong > 0) surprise(`${wrong} wrong signatures`)
    if (unrecorded > 0) surprise(`${unrecorded} signatures have no line in the audit`)
    if (share < least || share > most) {
      surprise(`${(100 * share).toFixed(1)} % failed during the fault; expected ${100 * least} to ${100 * most} %`)
    }
    if (most === 0 && failed.length > 0) surprise(`${failed.length} failed, such as ${failed[0]?.text}`)
    for (const alert of alerts) if (!fired.has(alert)) surprise(`${alert} did not fire`)
    for (const alert of fired.keys()) if (!alerts.includes(alert) && !also.includes(alert)) surprise(`${alert} fired`)
    const last = answers.at(-1)?.text
    if (isRecovered && last !== `200 ${rightAnswer(fault.token)}`) surprise(`the last answer is ${last}`)
    if (!isRecovered) surprise(`no recovery: ${failed.at(-1)?.text}`)

    const first = Math.min(...fired.values())
    return [
      name, answers.length, failed.length, wrong, unrecorded, [...fired.keys()].join(', ') || 'none',
      fired.size === 0 ? '' : seconds(first), isRecovered ? seconds(Math.max(ready, lastFailure) - mended) : 'never'
    ]
  })
}

for (const name of names) {
  const fault = faults[name] as Fault
  const reason = fault.skip?.() ?? false
  if (reason !== false) {
    print(`${name}: skipped: ${reason}`)
    continue
  }
  try {
    const row = `| ${(await run(name, fault)).join(' | ')} |`
    rows.push(row)
    print(row)
  } catch (error) {
    surprises.push(`${name}: ${error}`)
  }
}
print(`\n${rows.join('\n')}\n\nThe rules' times are divided by ${acceleration}.`)
surprises.forEach(surprise => print(`SURPRISE ${surprise}`))
print(`${rows.length - 2} faults, ${surprises.length} surprises`)
if (process.argv.length === 2) {
  const path = join(root, 'docs/operations.md')
  const table = `<!-- game-day -->\n${rows.join('\n')}\n<!-- /game-day -->`
  writeFileSync(path, readFileSync(path, 'utf8').replace(/<!-- game-day -->[^]*<!-- \/game-day -->/, () => table))
}
process.exit(surprises.length === 0 ? 0 : 1)
