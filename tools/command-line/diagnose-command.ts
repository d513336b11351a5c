import { json as jsonOf } from '../explain/characters.js'
import type { Signed } from '../request-text/signed-requests.js'
import { CommandError, commandOf, json, text } from './command.js'
import { inputOptions, readRequest, readText, signedRequestsFrom } from './request-input.js'
import { candidateTokens, schemeFor } from './token-input.js'

export const command = commandOf({
  usage: '[--signature SIGNATURE] [options]',
  help: `Finds the mistake behind a signature, in the request, the token or the computation. Without a token, only part 1
is searched, which does not contain it.
Without --signature, the file contains one or many requests with their signatures: lines of JSON, a JSON array, or a HAR
of a browser. The command then groups the wrong ones by their mistake, and compares the two calls of a payment: the
request for the signature and the payment itself.`,
  options: {
    signature: text('SIGNATURE', 'the expected or refused signature: part1///part2'),
    'other-request': text('FILE', 'the request as the other side received it; also compared if the signature matches'),
    tokens: text('FILE', 'other tokens that may have been used: lines of NAME=TOKEN'),
    ...inputOptions,
    ...json('the library\'s Diagnosis')
  },
  end: `Exit code: 0 the signature matches or a cause was found, 1 no cause was found for one of the parts, 2 wrong usage

Example
  payment-signature diagnose --request request.json --tokens ./tokens --signature 8e55f6…///21a07e…`,

  async run ({ values }, io) {
    const { 'other-request': otherPath, tokens: tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      throw new CommandError('standard input is for the request: --other-request and --tokens need a file')
    }
    const { diagnose } = await import('../diagnosis/diagnose.js')
    const { diagnoseAll, wrongOf } = await import('../diagnosis/diagnose-all.js')
    const { isOpen, report, reportOnAll } = await import('./diagnosis-report.js')
    const signed = await signedRequestsFrom(values, io)
    const [first] = signed as [Signed]
    const { request, signatures: [signature = ''] } = first
    const options = {
      ...await schemeFor(values, io, false, request),
      otherRequest: otherPath === undefined ? first.otherRequest : { ...await readRequest(otherPath, io, true) },
      otherTokens: tokensPath === undefined ? undefined : candidateTokens(await readText(tokensPath, io), tokensPath)
    }
    const hasToken = (options.merchantToken ?? request.merchantToken) !== undefined
    if (signed.length > 1) {
      const shared = diagnoseAll(signed, options)
      io.stdout.write(values.json ? jsonOf(shared) : reportOnAll(shared, hasToken, io))
      const isExplained = shared.unsearched === 0 && shared.groups.every(({ changes }) => changes.length > 0)
      return isExplained && (hasToken || shared.failing > 0)
    }
    const diagnosis = diagnose(wrongOf(first, options) ?? signature, request, options)
    io.stdout.write(values.json ? jsonOf(diagnosis) : report(diagnosis, io))
    return diagnosis.valid || (diagnosis.causes.length > 0 && !isOpen(diagnosis))
  }
})
