import { setTimeout } from 'node:timers/promises'
import { load } from '../support/load.js'
import { faults } from './game-day/faults.js'
import type { Fault } from './game-day/faults.js'
import { acceleration, example, otherToken, rightAnswer, startStage, until } from './game-day/stage.js'
import { scoped } from '../support/scope.js'
import { table } from './part.js'
import type { Part } from './part.js'

const seconds = (milliseconds: number) => `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`
const rightAnswers = [rightAnswer(), rightAnswer(otherToken)]
const head = ['fault', 'requests', 'failed', 'wrong signatures', 'audit lines missing', 'alerts', 'detected after', 'recovered after']

/** Runs a fault and returns the cells of its row. Adds what is not expected to `surprises`. */
async function run (name: string, fault: Fault, surprises: string[]): Promise<Array<string | number>> {
  const { alerts, also = [], failing: [least, most], before = 2000, lasting = 5000 } = fault
  const surprise = (text: string) => surprises.push(`${name}: ${text}`)
  return scoped('game-day', async t => {
    const script = fault.prepare?.(t)
    const stage = await startStage(t, fault.variables?.(t.testdir()) ?? {}, script)
    const answers: Array<{ at: number, isSigned: boolean, isWrong: boolean, id: string, text: string }> = []
    const clients = load(stage.port, 100, example, answer => {
      const [status, text] = answer instanceof Error ? [0, String(answer)] : [answer.statusCode, answer.body]
      const isSigned = status === 200 && rightAnswers.includes(text)
      const id = answer instanceof Error ? '' : String(answer.headers['x-request-id'])
      answers.push({ at: Date.now(), isSigned, isWrong: status === 200 && !isSigned, id, text: `${status} ${text}` })
    })
    await clients.until(200)
    await setTimeout(before)
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

/** Faults of the short form. */
const quickFaults = ['redis-killed']

export const gameDay: Part = {
  name: 'game-day',
  shows: 'Each fault of an instance, Redis, backend, disk, file or clock costs what is expected and fires the alert that the ' +
    'runbook names. There is no wrong signature and no signature without its audit line.',
  programs: ['haproxy', 'redis-server', 'prometheus'],
  async run ({ short, note, signal }) {
    const surprises: string[] = []
    const skipped: string[] = []
    const rows: Array<Array<string | number>> = []
    for (const [name, fault] of Object.entries(faults)) {
      if (signal.aborted || (short && !quickFaults.includes(name))) continue
      const reason = fault.skip?.() ?? false
      if (reason !== false) {
        skipped.push(`${name} (${reason})`)
        continue
      }
      try {
        const row = await run(name, fault, surprises)
        rows.push(row)
        note(row.join(' | '))
      } catch (error) {
        surprises.push(`${name}: ${error}`)
      }
    }
    return {
      passed: surprises.length === 0 && !signal.aborted,
      figures: { faults: rows.length, skipped: skipped.length, surprises: surprises.length },
      details: [
        `Prometheus evaluates the alert rules with times divided by ${acceleration}: 2 seconds stand for a minute.`,
        table(head, rows),
        ...skipped.length > 0 ? [`Skipped: ${skipped.join(', ')}.`] : [],
        ...surprises.map(surprise => `- surprise: ${surprise}`)
      ].join('\n\n')
    }
  }
}
