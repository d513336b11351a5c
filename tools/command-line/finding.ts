import { visible } from '../explain/characters.js'
import { marksOf, type Io } from './command.js'

/** The result of a check. The advice is empty if there is none. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  readonly advice: string
}

/** A finding with the name of its check, for the report. */
export type Check = Finding & { readonly name: string }

export const found = (status: Finding['status'], detail: string, advice = ''): Finding => ({ status, detail, advice })

/** Rows of advice by a pattern of what was observed. The first row that matches is shown. */
export type Advice = ReadonlyArray<readonly [observed: RegExp, advice: string]>

export const adviceOn = (observed: string, rows: Advice): string => rows.find(([pattern]) => pattern.test(observed))?.[1] ?? ''

/** Returns a report with a line for each finding, and one for its advice. */
export function report (url: string, findings: readonly Check[], io: Io): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return `${url}\n` + findings.map(({ name, status, detail, advice }) =>
    `${marksOf(io)[status]} ${name.padEnd(width)}  ${visible(detail)}\n` +
    (advice === '' ? '' : `${' '.repeat(width + 4)}→ ${visible(advice)}\n`)).join('')
}
