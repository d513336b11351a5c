import { json as jsonOf } from '../explain/characters.js'
import { wrongOf } from '../diagnosis/diagnose-all.js'
import { judge } from '../diagnosis/diagnose.js'
import type { Signed } from '../request-text/signed-requests.js'
import { CommandError, commandOf, json, text, programName } from './command.js'
import { isOpen, report } from './diagnosis-report.js'
import { inputOptions, signedRequestsFrom } from './request-input.js'
import { schemeFor } from './token-input.js'

export const command = commandOf({
  usage: '[--signature SIGNATURE] [options]',
  help: `Checks a signature against a request: its form, and each part by itself, without a search for the mistake. Without
--signature, the file contains one request with its signature, such as a HAR of a browser with the payment: then both
calls are compared.`,
  options: {
    signature: text('SIGNATURE', 'the signature to check: part1///part2'),
    ...inputOptions,
    ...json('the library\'s Diagnosis')
  },
  end: `Exit code: 0 it matches, 1 it does not, or the payment was sent with other values, 2 wrong usage

Example
  payment-signature verify --request request.json --token-file ./token --signature 8e55f6…///21a07e…`,

  async run ({ values }, io) {
    const all = await signedRequestsFrom(values, io)
    const program = programName(io.env)
    if (all.length > 1) {
      throw new CommandError(`the file has ${all.length} requests with signatures: ` +
        `pass one, or run ${program} diagnose`)
    }
    const [first] = all as [Signed]
    const { request, signatures: [signature = ''], otherRequest } = first
    const scheme = await schemeFor(values, io, true, { ...request, merchantToken: undefined })
    const diagnosis = judge(wrongOf(first, scheme) ?? signature, request, { ...scheme, otherRequest })
    const next = isOpen(diagnosis) ? `\nTo find the mistake, run ${program} diagnose with the same arguments.\n` : ''
    io.stdout.write(values.json ? jsonOf(diagnosis) : report(diagnosis, io) + next)
    return diagnosis.valid && diagnosis.causes.length === 0
  }
})
