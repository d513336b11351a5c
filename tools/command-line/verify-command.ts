import { CommandError, commandOf } from '../../src/command-line/command.js'
import { json } from '../../src/text/characters.js'
import { programName } from '../../src/text/program.js'
import { diagnoseInFile } from '../diagnosis/diagnose.js'
import { wrongOf } from '../diagnosis/diagnose-all.js'
import { isOpen, report } from './diagnosis-report.js'
import { inputOptions, requestHelp, signedRequestsFrom } from './request-input.js'
import { requiredToken, schemeFor, tokenFrom, tokenHelp, variantHelp, variantOf, withValue } from './scheme-input.js'

export const command = commandOf({
  help: `Usage: payment-signature verify [--signature SIGNATURE] [options] [-]

Checks a signature against a request: its form, and each part by itself, without a search for the mistake. Without
--signature, the file contains one request with its signature, such as a line of a log, or a HAR of a browser with the
payment: then both calls are compared.

${requestHelp}
${tokenHelp}
Options
  --signature SIGNATURE       the signature to check: part1///part2
${variantHelp}  --json                      the library's Diagnosis

Exit code: 0 it matches, 1 it does not, or the payment was sent with other values, 2 wrong usage

Example
  payment-signature verify --request request.json --token-file ./token --signature 8e55f6…///21a07e…
`,

  options: { ...inputOptions, ...withValue('signature') },
  maxPositionals: 1,

  async run ({ values, positionals }, io) {
    const given = variantOf(values, io)
    const [first, ...others] = await signedRequestsFrom(values, positionals, io)
    if (others.length > 0) {
      throw new CommandError(`the file has ${others.length + 1} requests with signatures: ` +
        `pass one, or run ${programName(io.env)} diagnose`)
    }
    const { request, signatures, otherRequest } = first!
    const tokenOf = async (): Promise<string> => await tokenFrom(values, io, request) ?? await requiredToken(values, io)
    const scheme = await schemeFor(given, values, io, request, tokenOf)
    const wrong = wrongOf(first!, scheme) ?? signatures[0]!
    const diagnosis = diagnoseInFile(wrong, request, { ...scheme, otherRequest, hypotheses: new Set() })
    const isRight = diagnosis.valid && diagnosis.causes.length === 0
    const next = `To find the mistake, run ${programName(io.env)} diagnose with the same arguments.\n`
    io.stdout.write(values.json ? json(diagnosis) : report({ ...diagnosis, tries: 0 }, io) + (isOpen(diagnosis) ? `\n${next}` : ''))
    return isRight
  }
})
