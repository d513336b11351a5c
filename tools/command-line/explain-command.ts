import { commandOf, type Io } from '../../src/command-line/command.js'
import { json, quote, visible } from '../../src/text/characters.js'
import { readerOf } from '../../src/scheme/variants.js'
import { explain, type ExplainedPart, type Explanation } from '../explain/explain.js'
import { painter, table } from './report-text.js'
import { inputFrom, inputOptions, requestHelp } from './request-input.js'
import { optionalTokenHelp, tokenFrom, variantHelp } from './scheme-input.js'

/** Descriptions of the other operation for which a signature is valid. */
const others = {
  void: 'a void on that FCRN',
  inquiry: 'an inquiry without a transactionId, which lists any period of the account',
  'clear-cache': 'a clear cache'
}

const noToken = 'unknown without the token: set MERCHANT_TOKEN or pass --token-file'

function report (explanation: Explanation, hasBytes: boolean, io: Io): string {
  const { variant, operation, alsoSignedLike, terms, signature, warnings } = explanation
  const paint = painter(io)

  function part (title: string, key: 'part1' | 'part2'): string {
    const { preImage, bytes, digest }: ExplainedPart = explanation[key]
    const formula = readerOf(variant).parts[key].join(' + ')
    return `\n${paint('bold', title)} = sha256(${formula})\n` + table([
      ['text', visible(preImage)],
      ...(hasBytes ? [['bytes', bytes]] : []),
      ['digest', digest ?? noToken]
    ])
  }

  return paint('bold', `variant ${variant}${operation === undefined ? '' : `, ${operation}`}`) + '\n' +
    table(terms.map(({ name, text, source }) => [name, quote(text), visible(source)])) +
    part('part 1', 'part1') +
    part('part 2', 'part2') +
    `\n${paint('bold', 'signature')}\n  ${signature ?? noToken}\n` +
    (alsoSignedLike === undefined ? '' : `  also valid for ${others[alsoSignedLike]}\n`) +
    (warnings.length === 0 ? '' : '\n') +
    warnings.map(({ message }) => `${paint('yellow', 'warning')} ${visible(message)}\n`).join('')
}

export const command = commandOf({
  help: `Usage: payment-signature explain [options] [-]

Shows how the signature of a request is made: each term and its source, the hashed texts, the digests, and likely
mistakes. The token is never shown. Without a token, only part 1 has a digest.

${requestHelp}
${optionalTokenHelp}
Options
  --bytes                     also show the UTF-8 bytes that are hashed, in hexadecimal
${variantHelp}  --json                      the library's Explanation; signature and digest are null without a token

Exit code: 0 explained, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature explain --request request.json --bytes
`,

  options: { ...inputOptions, bytes: { type: 'boolean' } },
  maxPositionals: 1,

  async run (args, io) {
    const { values } = args
    const { request, variant, merchantToken } = await inputFrom(args, io, request => tokenFrom(values, io, request))
    const explained = merchantToken === undefined ? request : { ...request, merchantToken: undefined }
    const explanation = explain(explained, { variant, merchantToken })
    io.stdout.write(values.json ? json(explanation) : report(explanation, values.bytes === true, io))
    return true
  }
})
