import type { Completable, CompletableOption } from './completable.js'

// Where any text may stand, each of them completes the names of files.

/** For bash 3.2, which macOS has, and newer. */
export function bash (commands: readonly Completable[]): string {
  const texts = new Set(commands.flatMap(({ options }) =>
    options.filter(({ hasValue, choices }) => hasValue && choices.length === 0).map(({ flag }) => flag)))
  const cases = commands.flatMap(({ name, words, options }) => [
    ...options.filter(({ choices }) => choices.length > 0).map(({ flag, choices }) =>
      `    *:${name}:${flag}) words='${choices.join(' ')}' ;;`),
    `    *:${name}:*) words='${[...words, ...options.map(({ flag }) => flag)].join(' ')}' ;;`
  ])
  return `# payment-signature in bash: source <(payment-signature completion bash)
_payment_signature () {
  local words
  case $COMP_CWORD:\${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]} in
    1:*) words='${commands.map(({ name }) => name).join(' ')}' ;;
    ${['--', ...texts].map(flag => `*:${flag}`).join(' | ')}) return ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _payment_signature payment-signature
`
}

/** To be sourced after compinit, or put into a folder of fpath as `_payment-signature`. */
export function zsh (commands: readonly Completable[]): string {
  const option = ({ flag, hasValue, isRepeatable, choices }: CompletableOption): string => {
    const value = choices.length > 0 ? `(${choices.join(' ')})` : '_files'
    return `'${isRepeatable ? '*' : ''}${flag}${hasValue ? `:value:${value}` : ''}'`
  }
  const cases = commands.map(({ name, words, options }) => {
    const first = words.length > 0 ? [`'1:argument:(${words.join(' ')})'`] : []
    return `    ${name}) _arguments ${[...options.map(option), ...first, "'*:argument:_files'"].join(' ')} ;;`
  })
  return `#compdef payment-signature
# payment-signature in zsh: source <(payment-signature completion zsh)
_payment-signature () {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
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
}

export function fish (commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, summary, words, options }) => {
    const after = `__fish_seen_subcommand_from ${name}`
    return [
      `-n __fish_use_subcommand -f -a ${name} -d '${summary}'`,
      ...(words.length > 0 ? [`-n '${after}; and __fish_is_nth_token 2' -f -a '${words.join(' ')}'`] : []),
      ...options.map(({ flag, hasValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : hasValue ? ' -r' : ''
        return `-n '${after}' -l ${flag.slice(2)}${value}`
      })
    ]
  })
  return '# payment-signature in fish: payment-signature completion fish | source\n' +
    lines.map(line => `complete -c payment-signature ${line}\n`).join('')
}
