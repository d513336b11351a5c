import { randomUUID } from 'node:crypto'
import { readTokenFile } from '../../src/merchants/token-file.js'
import type { SignatureRequest } from '../../src/scheme/request.js'
import { json as jsonOf } from '../explain/characters.js'
import { commandOf, fail, json, text } from './command.js'
import { examineRoute } from './doctor-route.js'
import { examineService } from './doctor-service.js'
import { report, type Check } from './finding.js'
import { readRequest, readText, schemeFor, schemeOptions, variantOf } from './input.js'

/** Returns the headers in lines of NAME: VALUE. The number is that of the file, for errors. */
function headersIn (text: string, number: number): Record<string, string> {
  return Object.fromEntries(text.split(/\r?\n/).filter(line => line !== '').map((line, index) => {
    const [, given = '', value = ''] = /^([\w-]+): *([\x20-\x7e]*)$/.exec(line) ?? []
    const name = given.toLowerCase()
    const refuse = (fault: string): never => fail(`--headers-file, file ${number}: line ${index + 1} ${fault}`)
    if (name === '') refuse('is not NAME: VALUE')
    if (value === '') refuse(`has no value of ${given}`)
    if (value.toLowerCase().startsWith(`${name}:`)) refuse(`has the name ${given} twice: write the value once, without its name`)
    return [name, value]
  }))
}

/** Returns a URL that an argument contains. */
function urlIn (text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && url.username + url.password === ''
    ? url
    : fail('the URL must begin with http:// or https://, such as http://localhost:3001, and have no password')
}

/** Returns the URL of the service without the path of an endpoint. */
const baseOf = ({ origin, pathname }: URL): string =>
  origin + pathname.replace(/\/(?:health|ready|api\/generate-signature)$/, '').replace(/\/+$/, '')

/** Returns the request of a stranger, that of the probe of the first steps, or the one that the fields describe. */
function probeFor (
  fields: Partial<SignatureRequest>, apiKey: string | undefined, isStranger: boolean
): SignatureRequest {
  const account = fields.accountNumber === undefined ? { merchantAccountNumber: '102551' } : {}
  const own = { ...account, sid: randomUUID(), clientTimeStamp: Date.now(), ...fields }
  const { operationType, amount } = fields
  if (apiKey !== undefined && operationType === undefined && amount === undefined) {
    return { operationType: 'inquiry', idType: 'ORDER_ID', transactionId: 'payment-signature-probe', ...own }
  }
  // Variant B signs the order id in part 1.
  return operationType === undefined ? { amount: '1.00', ...isStranger && { orderId: '1' }, ...own } : own
}

/** Fields that do not make the request one that must be signed. */
const ofStranger = new Set(['accountNumber', 'merchantAccountNumber', 'sid', 'clientTimeStamp'])

/** Returns the API key of a file. */
async function apiKeyIn (path: string): Promise<string> {
  const key = await readTokenFile(path, '--api-key-file', '', true)
  return /^[!-~]*$/.test(key) ? key : fail('the API key must be ASCII without spaces')
}

export const command = commandOf({
  usage: 'URL [NAME=VALUE …] [options]\n' +
    '       payment-signature doctor --authorize-url URL [--request FILE --headers-file FILE --headers-file FILE] [options]',
  help: `Checks a running service from outside: that it is reachable, without a redirect and under its path, that it refuses a
purchase to a stranger, and CORS. With --api-key-file, an inquiry must be signed; with --headers-file, --request or
fields such as amount=1.00, the request that they describe. The token is used on this machine only, and never sent. URL
is that of the service, or of the endpoint.

With --authorize-url, asks the shop's route as the service would: as a stranger, with a key, an inquiry, and a purchase
without an order. Only a real order and the sessions of two customers prove that nobody can pay the order of another
customer, and only a paid order proves that it is not paid twice. Nothing is signed or paid.`,
  options: {
    'authorize-url': text('URL', 'check the shop\'s route, such as http://127.0.0.1:3081/may-sign, and no service'),
    request: text('FILE', 'the request of the check: for the route, the purchase of an unpaid order'),
    'other-request': text('FILE', 'for the route, the purchase of a paid order of the same customer'),
    'headers-file': {
      type: 'string',
      value: 'FILE',
      multiple: true,
      help: 'lines of NAME: VALUE, such as a cookie or a session; for the route, the session of the\n' +
        'order\'s customer, then that of another customer'
    },
    'api-key-file': text('FILE', 'the API key of a caller that may inquire, or send the request of the check'),
    origin: text('ORIGIN', 'check CORS for pages of this origin, such as https://shop.example'),
    ...schemeOptions,
    ...json('{ "url", "ok", "checks": [{ "name", "status", "detail", "advice" }] }')
  },
  end: `Exit code: 0 no check failed, 1 a check failed, 2 wrong usage, or an unreadable file

Example
  payment-signature doctor https://shop.example/payments
  payment-signature doctor --authorize-url http://127.0.0.1:3081/may-sign --request request.json`,
  maxPositionals: 1,
  hasFields: true,

  async run ({ values, fields, positionals: [given] }, io) {
    const { origin, 'api-key-file': keyFile, 'headers-file': headerFiles = [], 'authorize-url': route } = values
    if ((given === undefined) === (route === undefined)) {
      fail('pass either the URL of the service, such as https://shop.example/payments, or --authorize-url')
    }
    if (headerFiles.length > (route === undefined ? 1 : 2)) fail('--headers-file is passed too often')
    if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      fail('--origin must be an origin such as https://shop.example: no path, no trailing slash')
    }
    const sessions = []
    for (const path of headerFiles) sessions.push(headersIn(await readText(path, io), sessions.length + 1))
    const requestIn = async (path: string | undefined) => path === undefined ? undefined : await readRequest(path, io)
    const request = await requestIn(values.request)
    const described = { ...request, ...fields } as SignatureRequest
    const reported = (url: string, checks: readonly Check[]): boolean => {
      const isWell = checks.every(({ status }) => status !== 'failed')
      io.stdout.write(values.json ? jsonOf({ url, ok: isWell, checks }) : report(url, checks, io))
      return isWell
    }
    if (route !== undefined) {
      const { href } = urlIn(route)
      const paid = await requestIn(values['other-request'])
      const shop = { variant: variantOf(values, io), unpaid: described, paid, sessions }
      return reported(href, await examineRoute(href, shop))
    }
    const apiKey = keyFile === undefined ? undefined : await apiKeyIn(keyFile)
    const isStranger = apiKey === undefined && sessions.length === 0 &&
      Object.keys(described).every(name => ofStranger.has(name))
    const probe = probeFor(described, apiKey, isStranger)
    const scheme = isStranger
      ? { variant: variantOf(values, io), merchantToken: undefined }
      : await schemeFor(values, io, false, probe)
    const base = baseOf(urlIn(given!))
    const [headers = {}] = sessions
    return reported(base, await examineService({ base, origin, apiKey, headers, probe, isStranger, ...scheme }))
  }
})
