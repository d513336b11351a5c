import { examine } from '../support/alert-exam.js'
import { situations } from '../support/alert-situations.js'
import { table } from './part.js'
import type { Part } from './part.js'

const percent = (part: number, all: number): string => `${(100 * part / all).toFixed(1)} %`

export const alerts: Part = {
  name: 'alerts',
  shows: 'The alerts page for outages, warn of refusals, and are silent otherwise, in simulated situations. Precision is the ' +
    'share of messages that were expected, recall the share of expected messages that came in time.',
  programs: ['promtool'],
  async run ({ seed, directory, short }) {
    const examined = short ? situations.filter(({ span = 'hour' }) => span === 'hour') : situations
    const results = await examine(examined, directory, seed)
    const count = (kind: 'right' | 'missed' | 'wrong', severity = '') =>
      results.flatMap(result => result[kind]).filter(message => message.startsWith(severity)).length
    const [right, missed, wrong] = [count('right'), count('missed'), count('wrong')]
    const rows = results.map(({ situation: { name, known = '' }, right, missed, wrong }) =>
      [name, right.join(', '), missed.join(', '), wrong.join(', '), known])
    return {
      passed: results.every(({ situation: { known }, missed, wrong }) =>
        known !== undefined || missed.length + wrong.length === 0),
      figures: {
        situations: results.length,
        precision: percent(right, right + wrong),
        recall: percent(right, right + missed),
        ...Object.fromEntries(['critical', 'warning'].map(severity => [`${severity}, right/missed/wrong`,
          [count('right', severity), count('missed', severity), count('wrong', severity)].join('/')]))
      },
      details: table(['situation', 'right', 'missed', 'wrong', 'known fault'], rows)
    }
  }
}
