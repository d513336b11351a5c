import { json as jsonOf } from '../explain/characters.js'
import type { Signed } from '../request-text/signed-requests.js'
import { CommandError, commandOf, json, text } from './command.js'
import { fieldsHelp, inputOptions, inputUsage, readRequest, readText, signedRequestsFrom } from './request-input.js'
import { candidateTokens, schemeFor, warn } from './token-input.js'

export const command = commandOf({
  usage: `[--signature SIGNATURE] ${inputUsage}`,
  help: `Checks a signature against a request, and finds the mistake behind a wrong one: in the request, the token or the
computation. Without a token, only part 1 is searched, which does not contain it.
${fieldsHelp}
Without --signature, the file contains one or many requests with their signatures: lines of JSON, a JSON array, or a HAR
of a browser. The command then groups the wrong ones by their mistake, and compares the two calls of a payment: the
request for the signature and the payment itself.`,
  options: {
    signature: text('SIGNATURE', 'the expected or refused signature: part1///part2'),
    'other-request': text('FILE', 'the request as the other side received it; also compared if the signature matches'),
    'tokens-file': text('FILE', 'other tokens that may have been used: lines of NAME=TOKEN'),
    ...inputOptions,
    ...json('an object with valid, part1, part2, causes, hints, tries and complete')
  },
  hasFields: true,
  end: `Exit code: 0 it is right, 1 it is wrong, or part 2 was not checked since there is no token, 2 no result: wrong usage, an
unreadable file

Example
  payment-signature diagnose --request request.json --token-file ./token --signature 8e55f6…///21a07e…`,

  async run (given, io) {
    const { values } = given
    const { 'other-request': otherPath, 'tokens-file': tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      throw new CommandError('standard input is for the request: --other-request and --tokens-file need a file')
    }
    const { diagnose } = await import('../diagnosis/diagnose.js')
    const { diagnoseAll, wrongOf } = await import('../diagnosis/diagnose-all.js')
    const { report, reportOnAll } = await import('./diagnosis-report.js')
    const signed = await signedRequestsFrom(given, io)
    const [first] = signed as [Signed]
    const { request, signatures: [signature = ''] } = first
    const options = {
      ...await schemeFor(values, io, false, request),
      otherRequest: otherPath === undefined ? first.otherRequest : { ...await readRequest(otherPath, io, true) },
      otherTokens: tokensPath === undefined ? undefined : candidateTokens(await readText(tokensPath, io), tokensPath)
    }
    const hasToken = (options.merchantToken ?? request.merchantToken) !== undefined
    if (hasToken && options.merchantToken === undefined) {
      warn(['the token is that of the request: a right signature proves only that its sender knew this token'], io)
    }
    if (signed.length > 1) {
      const shared = diagnoseAll(signed, options)
      io.stdout.write(values.json ? jsonOf(shared) : reportOnAll(shared, hasToken, io))
      return hasToken && shared.failing === 0
    }
    const diagnosis = diagnose(wrongOf(first, options) ?? signature, request, options)
    io.stdout.write(values.json ? jsonOf(diagnosis) : report(diagnosis, io))
    return diagnosis.valid && diagnosis.causes.length === 0
  }
})
