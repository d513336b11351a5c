import { exitCodes } from './command.js'

/** Why a command has no result, for standard error: a line that says what to do, and holds no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor (message: string, exitCode: number = exitCodes.usage) {
    super(message)
    this.exitCode = exitCode
  }
}
