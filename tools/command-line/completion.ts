import { parse } from '../../src/command-line/arguments.js'
import { CommandError } from '../../src/command-line/command.js'
import type { Command, Commands, Options } from '../../src/command-line/command.js'

/** Returns the arguments of each command. Any other value is the name of a file. */
async function completable (commands: Commands) {
  const all = await Promise.all(Object.entries(commands).map(async ([name, { summary, load }]) => {
    const { command: { words = [], options } } = await load()
    const flags = Object.entries<Options[string]>({ ...options, help: { type: 'boolean' } })
      .map(([option, { type, multiple, choices = [] }]) => ({ option, hasValue: type === 'string', multiple, choices }))
    return { name, summary, words, flags }
  }))
  return [...all, { name: 'help', summary: 'show the options of a command', words: Object.keys(commands), flags: [] }]
}

const scripts: Record<string, (commands: Awaited<ReturnType<typeof completable>>) => string> = {
  /** For bash 3.2, which macOS has, and newer. */
  bash (commands) {
    const texts = new Set(commands.flatMap(({ flags }) =>
      flags.filter(({ hasValue, choices }) => hasValue && choices.length === 0).map(({ option }) => `*:--${option}`)))
    const cases = commands.flatMap(({ name, words, flags }) => [
      ...flags.filter(({ choices }) => choices.length > 0).map(({ option, choices }) =>
        `    *:${name}:--${option}) words='${choices.join(' ')}' ;;`),
      `    *:${name}:*) words='${[...words, ...flags.map(({ option }) => `--${option}`)].join(' ')}' ;;`
    ])
    return `# payment-signature in bash: source <(payment-signature completion bash)
_payment_signature () {
  local words
  case $COMP_CWORD:\${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]} in
    1:*) words='${commands.map(({ name }) => name).join(' ')}' ;;
    ${['*:--', ...texts].join(' | ')}) return ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _payment_signature payment-signature
`
  },

  /** To be sourced after compinit, or put into a folder of fpath as `_payment-signature`. */
  zsh (commands) {
    const cases = commands.map(({ name, words, flags }) => {
      const options = flags.map(({ option, multiple, hasValue, choices }) =>
        `'${multiple ? '*' : ''}--${option}${hasValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : ''}'`)
      if (words.length > 0) options.push(`'1:argument:(${words.join(' ')})'`)
      return `    ${name}) _arguments ${options.join(' ')} '*:argument:_files' ;;`
    })
    return `#compdef payment-signature
# payment-signature in zsh: source <(payment-signature completion zsh)
_payment-signature () {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary}'`).join('\n')}
  )
  (( CURRENT == 2 )) && { _describe command commands; return }
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _payment-signature ]]; then
  _payment-signature "$@"
else
  compdef _payment-signature payment-signature
fi
`
  },

  fish (commands) {
    return '# payment-signature in fish: payment-signature completion fish | source\n' + commands.flatMap(({ name, summary, words, flags }) => [
      `-n __fish_use_subcommand -f -a ${name} -d '${summary}'`,
      ...(words.length > 0 ? [`-n '__fish_seen_subcommand_from ${name}; and __fish_is_nth_token 2' -f -a '${words.join(' ')}'`] : []),
      ...flags.map(({ option, hasValue, choices }) => `-n '__fish_seen_subcommand_from ${name}' -l ${option}` +
        (choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : hasValue ? ' -r' : ''))
    ]).map(line => `complete -c payment-signature ${line}\n`).join('')
  }
}

export const command: Command = {
  help: `Usage: payment-signature completion bash|zsh|fish

Prints a script with which the shell completes commands, options and their values.

To load it whenever a shell starts
  bash                        echo 'source <(payment-signature completion bash)' >> ~/.bashrc
  zsh                         echo 'source <(payment-signature completion zsh)' >> ~/.zshrc   (after compinit)
  fish                        payment-signature completion fish > ~/.config/fish/completions/payment-signature.fish

Exit code: 0 printed, 2 wrong usage

Example
  source <(payment-signature completion bash)
`,

  options: {},
  words: Object.keys(scripts),

  async run (args, io, commands) {
    const { positionals: [shell = ''] } = parse(args, {}, 1)
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined) throw new CommandError('pass the name of your shell: payment-signature completion bash, zsh or fish')
    io.stdout.write(script(await completable(commands)))
    return true
  }
}
