import { parse } from '../../src/command-line/arguments.js'
import { exitCodes } from '../../src/command-line/command.js'
import type { Command } from '../../src/command-line/command.js'
import { CommandError } from '../../src/command-line/command-error.js'

const options = {} as const

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

  options,

  async run (args, io) {
    const { positionals: [shell] } = parse(args, options, 1)
    const [{ completable }, { bash, zsh, fish }] =
      await Promise.all([import('./completion/completable.js'), import('./completion/scripts.js')])
    const scripts: Record<string, typeof bash> = { bash, zsh, fish }
    const script = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined) throw new CommandError('pass the name of your shell: payment-signature completion bash, zsh or fish')
    io.stdout.write(script(await completable()))
    return exitCodes.ok
  }
}
