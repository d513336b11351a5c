import type { Io, Terminal } from '../../src/command-line/command.js'
import { CommandError, exitCodes } from '../../src/command-line/command.js'

const controlSequence = /\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/g // eslint-disable-line no-control-regex -- arrow keys, and the marks of a paste

/** What is typed until Enter, in raw mode: the terminal shows nothing of it. */
async function typed ({ input }: Terminal): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    for (const character of String(chunk).replace(controlSequence, '')) {
      switch (character) {
        case '\r':
        case '\n':
          return text
        case '\x03': // Ctrl-C
          throw new CommandError('', exitCodes.interrupted)
        case '\x04': // Ctrl-D
          throw new CommandError('no token was typed')
        case '\x15': // Ctrl-U
          text = ''
          break
        case '\b':
        case '\x7f':
          text = [...text].slice(0, -1).join('')
          break
        default:
          text += character
      }
    }
  }
  throw new CommandError('no token was typed')
}

/**
 * Asks for the token at the terminal, which does not show it.
 *
 * @throws CommandError there is no terminal; nothing was typed; or Ctrl-C, with no message
 */
export async function promptForToken (io: Io): Promise<string> {
  let terminal: Terminal
  try {
    terminal = await io.openTerminal()
  } catch {
    throw new CommandError('no token, and no terminal to ask for it: set MERCHANT_TOKEN or pass --token-file')
  }
  const { input, output } = terminal
  try {
    input.setRawMode(true)
    output.write('Merchant token (not shown): ')
    const text = await typed(terminal)
    if (text === '') throw new CommandError('no token was typed')
    return text
  } finally {
    output.write('\n')
    input.setRawMode(false)
    terminal.close()
  }
}
