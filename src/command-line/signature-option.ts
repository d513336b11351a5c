import { CommandError } from './command-error.js'

/** @throws CommandError it was not given */
export function requiredSignature ({ signature }: { readonly signature?: string | undefined }): string {
  if (signature === undefined) throw new CommandError('missing --signature SIGNATURE')
  return signature
}
