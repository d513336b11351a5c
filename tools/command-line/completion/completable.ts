import type { Options } from '../../../src/command-line/arguments.js'
import { commands } from '../commands.js'

export interface CompletableOption {
  /** With its dashes. */
  readonly flag: string
  readonly hasValue: boolean
  readonly isRepeatable: boolean
  /** The values it may have; empty if it may be any text, or has none. */
  readonly choices: readonly string[]
}

export interface Completable {
  readonly name: string
  readonly summary: string
  /** What its first argument may be; empty if it may be anything. */
  readonly words: readonly string[]
  readonly options: readonly CompletableOption[]
}

/** The words in `A|B`, as it stands in a help text after some other text. */
function choicesAfter (before: string, help: string): string[] {
  const [, choices] = new RegExp(`${before} ([\\w|]+)`).exec(help) ?? []
  return choices?.split('|') ?? []
}

/** What each command takes: its options, and what its help says of them. */
export async function completable (): Promise<Completable[]> {
  const all = await Promise.all(Object.entries(commands).map(async ([name, { summary, load }]) => {
    const { command: { help, options } } = await load()
    return {
      name,
      summary,
      words: choicesAfter(`^Usage: payment-signature ${name}`, help),
      options: Object.entries<Options[string]>({ ...options, help: { type: 'boolean' } }).map(([option, value]) => {
        const { type, multiple = false } = value
        const flag = `--${option}`
        const choices = choicesAfter(flag, help)
        const isChoice = choices.length > 1 // or it is FILE, or the like
        return { flag, hasValue: type === 'string', isRepeatable: multiple, choices: isChoice ? choices : [] }
      })
    }
  }))
  const names = all.map(({ name }) => name)
  return [...all, { name: 'help', summary: 'show the options of a command', words: names, options: [] }]
}
