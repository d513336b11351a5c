/** What one check has found. */
export interface Finding {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly detail: string
  /** What to do; empty if nothing. */
  readonly advice: string
}

export const ok = (name: string, detail: string): Finding => ({ name, status: 'ok', detail, advice: '' })
export const failed = (name: string, detail: string, advice: string): Finding => ({ name, status: 'failed', detail, advice })
export const skipped = (name: string, detail: string): Finding => ({ name, status: 'skipped', detail, advice: '' })
