import { readerOf, signerOf } from '../../src/scheme/variants.js'
import { json as jsonOf, visible } from '../explain/characters.js'
import { keyCheckValue } from '../../src/token/key-check-value.js'
import { warningsOf } from '../explain/warnings.js'
import type { Signed } from '../request-text/signed-requests.js'
import { CommandError, commandOf, json, programName, text, type Command } from './command.js'
import { diagnoseCommand } from './diagnose-command.js'
import { doctorCommand } from './doctor-command.js'
import { explainCommand } from './explain-command.js'
import { keyCommand } from './key-command.js'
import type { Commands } from './main.js'
import { policyCommand } from './policy-command.js'
import { inputOptions, requestFrom, signedRequestsFrom } from './request-input.js'
import { merchantsFrom, schemeFor, schemeOptions, tokenFrom, warn } from './token-input.js'

const serve = commandOf({
  summary: 'run the service',
  usage: '[--check]',
  help: 'Runs the service until SIGTERM or SIGINT. ' +
    'The environment and .env configure it; its log goes to standard output.',
  options: {
    check: {
      type: 'boolean',
      help: 'start nothing: print the configuration, without secrets, and what is wrong with it'
    }
  },
  end: `Exit code: 0 stopped, 1 it could not start or failed, 2 wrong usage

Example
  MERCHANT_TOKEN_FILE=/run/secrets/merchant-token VARIANT=A PORT=3001 payment-signature serve --check`,

  async run () {
    await import('../../src/server.js') // reads --check from the arguments of the process
    return process.exitCode === undefined || process.exitCode === 0
  }
})

const sign = commandOf({
  summary: 'print the signature of a request',
  usage: '[options]',
  help: 'Prints the signature of a request.',
  options: { ...inputOptions, ...json('{ "variant": "A", "signature": "…" }') },
  end: `Exit code: 0 signed, 1 the request cannot be signed, 2 wrong usage

Example
  payment-signature sign --amount 100.00 --merchant-account-number 102551 --order-id ORDER-12345 \\
    --sid client-generated-session-id --client-time-stamp 1709912345678`,

  async run ({ values }, io) {
    const request = { ...await requestFrom(values, io) }
    const { variant, merchantToken = '' } = await schemeFor(values, io, true, request)
    const signed = { ...request, merchantToken: undefined }
    const signature = signerOf(variant, merchantToken).sign(signed)
    warn(warningsOf(readerOf(variant).read(signed), signed).map(({ message }) => visible(message)), io)
    io.stdout.write(values.json ? jsonOf({ variant, signature }) : `${signature}\n`)
    return true
  }
})

const verify = commandOf({
  summary: 'check a signature against a request',
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
    const { judge } = await import('../diagnosis/diagnose.js')
    const { wrongOf } = await import('../diagnosis/diagnose-all.js')
    const { isOpen, report } = await import('./diagnosis-report.js')
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

const kcv = commandOf({
  summary: 'print the key check value of the token',
  usage: '[options]',
  help: `Prints the key check value of the token: 6 hexadecimal digits, as in the service's start line. Different values mean
different tokens. With --merchants or MERCHANTS_FILE it prints the name and the key check value of each merchant, a line
each.`,
  options: { ...schemeOptions, ...json('{ "keyCheckValue": "…" }, or an object with the key check values by name') },
  end: `Exit code: 0 printed, 2 wrong usage

Example
  payment-signature kcv --token-file /run/secrets/merchant-token`,

  async run ({ values }, io) {
    const merchants = await merchantsFrom(values, io)
    if (merchants !== undefined) {
      const pairs = [...new Map(merchants.map(({ name, token }) => [name, keyCheckValue(token)]))]
      io.stdout.write(values.json ? jsonOf(Object.fromEntries(pairs)) : pairs.map(pair => `${pair.join(' ')}\n`).join(''))
      return true
    }
    const value = keyCheckValue(await tokenFrom(values, io, true) ?? '')
    io.stdout.write(values.json ? jsonOf({ keyCheckValue: value }) : `${value}\n`)
    return true
  }
})

/** All commands, in the order of `--help`. */
export const commands = {
  serve,
  sign,
  verify,
  explain: explainCommand,
  diagnose: diagnoseCommand,
  kcv,
  doctor: doctorCommand,
  key: keyCommand,
  policy: policyCommand
} as unknown as Commands & Record<string, Command>
