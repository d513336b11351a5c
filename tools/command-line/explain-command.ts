import { rulesOf } from '../../src/scheme/variants.js'
import { quote, visible } from '../explain/characters.js'
import { explain, type ExplainedPart, type Explanation } from '../explain/explain.js'
import { commandOf, painter, type Io } from './command.js'
import { fieldsHelp, inputOptions, inputUsage, requestFrom, schemeFor } from './input.js'

/** Descriptions of the other operation for which a signature is valid. */
const others = {
  void: 'a void on that FCRN',
  inquiry: 'an inquiry without a transactionId, which lists any period of the account',
  clearCache: 'a clear cache'
}

const noToken = 'unknown without the token: set MERCHANT_TOKEN or pass --token-file'

/** Returns rows with aligned columns, each line indented by two spaces. */
function table (rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd() + '\n').join('')
}

function report (explanation: Explanation, io: Io): string {
  const { variant, operation, alsoSignedLike, terms, signature, warnings } = explanation
  const paint = painter(io)
  const part = (title: string, key: 'part1' | 'part2'): string => {
    const { preImage, digest }: ExplainedPart = explanation[key]
    const rows = [['text', visible(preImage)], ['digest', digest ?? noToken]]
    return `\n${paint('bold', title)} = sha256(${rulesOf(variant).parts[key].join(' + ')})\n${table(rows)}`
  }
  return `${paint('bold', `variant ${variant}, ${operation}`)}\n` +
    table(terms.map(({ name, text, source }) => [name, quote(text), visible(source)])) +
    part('part 1', 'part1') + part('part 2', 'part2') + `\n${paint('bold', 'signature')}\n  ${signature ?? noToken}\n` +
    (alsoSignedLike === undefined ? '' : `  also valid for ${others[alsoSignedLike]}\n`) +
    (warnings.length === 0 ? '' : '\n') +
    warnings.map(({ message }) => `${paint('yellow', 'warning')} ${visible(message)}\n`).join('')
}

export const command = commandOf({
  usage: inputUsage,
  help: `Shows how the signature of a request is made: each term and its source, the hashed texts, the digests, and likely
mistakes. The token is never shown. Without a token, only part 1 has a digest.
${fieldsHelp}`,
  options: inputOptions,
  hasFields: true,
  end: `Exit code: 0 explained, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature explain --request request.json amount=100`,

  async run (given, io) {
    const request = await requestFrom(given, io)
    const { variant, merchantToken } = await schemeFor(given.values, io, false, request)
    const explained = merchantToken === undefined ? request : { ...request, merchantToken: undefined }
    io.stdout.write(report(explain(explained, { variant, merchantToken }), io))
    return true
  }
})
