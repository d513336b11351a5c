import { json as jsonOf } from '../explain/characters.js'
import type { Signed } from '../request-text/signed-requests.js'
import { commandOf, fail, json, text } from './command.js'
import {
  candidateTokens, fieldsHelp, inputOptions, inputUsage, readRequest, readText, schemeFor, signedRequestsFrom, warn
} from './input.js'

const noToken = 'part 1 is right; no token to check part 2: set MERCHANT_TOKEN, or pass --token-file'

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
  end: `Exit code: 0 it is right, 1 it is wrong, with its cause or without, 2 no result: part 1 is right but there is no token
for part 2, wrong usage, or an unreadable file

Example
  payment-signature diagnose --request request.json --token-file ./token --signature 8e55f6…///21a07e…`,

  async run (given, io) {
    const { values } = given
    const { 'other-request': otherPath, 'tokens-file': tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      fail('standard input is for the request: --other-request and --tokens-file need a file')
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
      return hasToken || shared.failing > 0 ? shared.failing === 0 : fail(noToken)
    }
    const diagnosis = diagnose(wrongOf(first, options) ?? signature, request, options)
    io.stdout.write(values.json ? jsonOf(diagnosis) : report(diagnosis, io))
    const isUnknown = !hasToken && diagnosis.part1 === 'matches' && diagnosis.causes.length === 0
    return isUnknown ? fail(noToken) : diagnosis.valid && diagnosis.causes.length === 0
  }
})
