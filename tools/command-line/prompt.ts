import { createInterface } from 'node:readline'
import { CommandError, exitCodes, type Io, type Terminal } from '../../src/command-line/command.js'

/**
 * Asks for the token at the terminal, which does not show it.
 *
 * @throws CommandError there is no terminal; nothing was typed; or Ctrl-C was pressed, without a message
 */
export async function promptForToken (io: Io): Promise<string> {
  let terminal: Terminal
  try {
    terminal = await io.openTerminal()
  } catch {
    throw new CommandError('no token, and no terminal to ask for it: set MERCHANT_TOKEN or pass --token-file')
  }
  const { input, output } = terminal
  const lines = createInterface({ input, terminal: true }) // without an output, readline echoes nothing
  try {
    output.write('Merchant token (not shown): ')
    return await new Promise<string>((resolve, reject) => {
      const refuse = (): void => reject(new CommandError('no token was typed'))
      lines.once('line', text => text === '' ? refuse() : resolve(text)).once('close', refuse)
        .once('SIGINT', () => reject(new CommandError('', exitCodes.interrupted)))
      // After some characters, readline ignores Ctrl-D, and treats the end of the input as Enter.
      input.on('keypress', (_text, { ctrl, name }) => ctrl && name === 'd' && refuse())
      input.prependListener('end', refuse)
    })
  } finally {
    lines.close()
    output.write('\n')
    terminal.close()
  }
}
