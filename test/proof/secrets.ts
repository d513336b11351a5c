import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { serve } from '../support/backend.js'
import { exchangeBytes } from '../support/http.js'
import { listening, root, server, start } from '../support/server.js'
import type { Scope, Server } from '../support/server.js'
import { commands } from '../../tools/command-line/commands.js'
import paymentSignature from '../../src/fastify.js'
import { errorCodes } from '../../src/http/error-codes.js'
import { inScope } from './part.js'
import type { Part } from './part.js'
import { send } from '../support/send.js'

const token = `Canary ${randomBytes(12).toString('hex')} "é<+/?&=>`

/** Beginning of most tokens of merchants. Like {@link token}, base64 encodes it by itself. */
const beginning = `Canary${randomBytes(12).toString('hex')}`

/** The token's unusual characters make each encoding differ from the raw text. */
const encodings: Record<string, (text: string) => string> = {
  raw: text => text,
  hexadecimal: text => Buffer.from(text).toString('hex'),
  base64: text => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  base64url: text => Buffer.from(text).toString('base64url'),
  URL: encodeURIComponent,
  'URL, twice': text => encodeURIComponent(encodeURIComponent(text)),
  JSON: text => JSON.stringify(text).slice(1, -1),
  reversed: text => [...text].reverse().join(''),
  'UTF-16': text => Buffer.from(text, 'utf16le').toString('latin1'),
  'quoted-printable': text => [...Buffer.from(text)].map(byte =>
    byte < 0x7f && byte !== 0x3d ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase()}`).join(''),
  'HTML entities': text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

const needles = Object.entries(encodings)
  .flatMap(([name, encode]) => [token, beginning].map(text => [name, encode(text).toLowerCase()] as const))

/** Returns the encodings in which a text contains the token, or that of a merchant. Letter case is ignored. */
const found = (text: string): string[] => {
  const lower = text.toLowerCase()
  return needles.filter(([, needle]) => lower.includes(needle)).map(([name]) => name)
}

/** Merchants of one service. Each token begins with {@link beginning}, some with {@link token}. */
const merchants = Array.from({ length: 500 }, (_, index) => ({
  name: `shop-${index}`,
  accountNumbers: [String(100_000 + index)],
  token: `${index % 50 === 0 ? token : beginning}-${index}-of-500`,
  variant: index % 2 === 0 ? 'A' : 'B'
}))
const [odd, common] = merchants as [typeof merchants[number], typeof merchants[number]]

/** Files of merchants with a fault, or with a token in a wrong place. */
const wrongFiles: readonly string[] = [
  JSON.stringify({ merchants }).slice(0, 500),
  `{"merchants": [{"name": "shop-0", "token": ${JSON.stringify(odd.token)}, "token": "${common.token}"}]}`,
  ...[
    { ...odd, tokn: common.token }, { ...odd, [common.token]: odd.token }, { ...odd, token: [common.token] },
    { ...odd, name: `${common.token} ` }, { ...odd, accountNumbers: common.token }, { ...odd, accountNumbers: [common.token] },
    { ...odd, variant: common.token }, { ...odd, keyCheckValue: common.token }, { ...odd, keyCheckValue: '000000' },
    { ...odd, token: undefined, tokenFile: common.token }, { ...odd, token: `-${common.token}-` },
    { ...odd, name: 'other' }, { ...common, accountNumbers: ['1'] }, odd.token, [odd.token]
  ].map(entry => JSON.stringify({ merchants: [...merchants.slice(0, 5), entry] })),
  JSON.stringify({ [common.token]: merchants })
]

const path = '/api/generate-signature'
const key = randomBytes(32).toString('hex')
const fields = {
  operationType: 'purchase', amount: '1.00', merchantAccountNumber: '102551', orderId: 'O-1', sid: 'sid-1', clientTimeStamp: Date.now()
}
const policy = {
  callers: [{
    name: 'shop', apiKeySha256: createHash('sha256').update(key).digest('hex'), operations: ['purchase'], accountNumbers: ['102551']
  }]
}

/** Collects outputs, and reports those with the token. */
class Search {
  bytes = 0
  outputs = 0
  readonly hits: string[] = []

  add (what: string, text: string): void {
    this.outputs++
    this.bytes += Buffer.byteLength(text)
    for (const name of found(text)) this.hits.push(`${what}: ${name}`)
  }
}

/** Runs a service, sends it requests, and searches everything that it wrote. Returns the error codes. */
async function searchService (
  t: Scope, search: Search, name: string, variables: Record<string, string>, traffic = everyRequest
): Promise<Set<string>> {
  const folder = t.testdir()
  writeFileSync(join(folder, 'token'), token)
  const service = server(t, {
    ...variables.MERCHANTS_FILE === undefined && { MERCHANT_TOKEN_FILE: join(folder, 'token') },
    LOG_LEVEL: 'trace',
    NODE_ENV: 'production',
    ADMIN_PORT: '0',
    ...variables
  }, { cwd: folder })
  const [, port = ''] = await service.says(listening)
  const responses = await traffic(service, Number(port))
  service.process.kill('SIGHUP')
  const [, adminPort] = /admin[^\n]*?127\.0\.0\.1:(\d+)/.exec(service.output()) ?? []
  if (adminPort !== undefined) {
    responses.push(await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text())
  }
  const limits = readFileSync(`/proc/${service.process.pid}/cmdline`, 'latin1')
  await service.terminate()
  responses.forEach(response => search.add(`${name}: a response`, response))
  search.add(`${name}: log`, service.output())
  search.add(`${name}: arguments`, limits)
  if (variables.AUDIT_FILE !== undefined && variables.AUDIT_FILE !== '/dev/full') search.add(`${name}: audit`, readFileSync(variables.AUDIT_FILE, 'utf8'))
  return codesOf(responses)
}

const codesOf = (responses: string[]): Set<string> =>
  new Set(responses.flatMap(response => [...response.matchAll(/error-code"?: ?"?([a-z-]+)/gi)].map(([, code = '']) => code)))

/** Takes the processor from the process for most of three seconds, and sends requests to the overloaded service. */
async function whileOverloaded (process: ChildProcess, port: number): Promise<string[]> {
  for (let pause = 0; pause < 4; pause++) {
    process.kill('SIGSTOP')
    await setTimeout(700)
    process.kill('SIGCONT')
    await setTimeout(5)
  }
  const [request, authorization] = [JSON.stringify(fields), `Bearer ${key}`]
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`
  return [await exchangeBytes({ port }, `${head}Content-Length: ${request.length}\r\n\r\n${request}` +
    'GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 15_000)]
}

/** Runs the plugin in apps whose hook or signer fails, and searches responses and log. Returns the error codes. */
async function searchApps (search: Search): Promise<Set<string>> {
  const responses: string[] = []
  const failing = { variant: 'A' as const, read: () => { throw new Error('no answer') }, signReading: () => '' }
  for (const thrown of [undefined, new Error('detail'), Object.assign(new Error('later'), { statusCode: 503 })]) {
    let log = ''
    const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => { log += line } } } })
    app.register(paymentSignature, thrown === undefined ? { signer: failing } : { variant: 'A', merchantToken: token })
    if (thrown !== undefined) app.addHook('preHandler', async () => { throw thrown })
    const { headers, body } = await app.inject({ method: 'POST', url: path, payload: { ...fields, merchantToken: token } })
    await app.close()
    responses.push(`${JSON.stringify(headers)} ${body}`)
    search.add('an app: log', log)
  }
  responses.forEach(response => search.add('an app: a response', response))
  return codesOf(responses)
}

/** Sends requests of every kind. Returns the responses. */
const everyRequest = async ({ process }: Server, port: number): Promise<string[]> =>
  [...await requestsOf(port), ...await whileOverloaded(process, port)]

/**
 * Searches a service with 500 merchants, which reads its file again with each fault, and the commands that read it.
 * Half of the tokens have files.
 */
async function searchMerchants (t: Scope, search: Search, short: boolean): Promise<Set<string>> {
  const folder = t.testdir()
  const path = join(folder, 'merchants.json')
  mkdirSync(join(folder, 'tokens'))
  const entries = merchants.map(({ token, ...merchant }, index) => {
    if (index >= 250) return { ...merchant, token }
    writeFileSync(join(folder, 'tokens', merchant.name), token)
    return { ...merchant, tokenFile: `tokens/${merchant.name}` }
  })
  const right = JSON.stringify({ merchants: entries })
  writeFileSync(path, right)
  const variables = { MERCHANTS_FILE: path, STRICT: 'true', AUDIT: 'required', AUDIT_FILE: join(folder, 'audit.log') }
  const codes = await searchService(t, search, '500 merchants', variables, async (service, port) => {
    const agent = new Agent({ keepAlive: true })
    const responses: string[] = []
    const ask = async (options: Omit<Parameters<typeof send>[1], 'agent'>) => {
      const { statusCode, headers, body } = await send(port, { agent, ...options })
      responses.push(`${statusCode} ${JSON.stringify(headers)} ${body}`)
    }
    for (const { token, accountNumbers: [merchantAccountNumber] } of merchants) {
      for (const own of [{}, { merchantToken: token }, { orderId: token }]) {
        await ask({ body: JSON.stringify({ ...fields, merchantAccountNumber, sid: randomUUID(), ...own }) })
      }
      // Only the log is searched: the response repeats the path to the client that sent it.
      await send(port, { agent, path: `/${encodeURIComponent(token)}`, method: 'GET' })
    }
    await ask({ body: JSON.stringify({ ...fields, merchantAccountNumber: '999999' }) })
    agent.destroy()
    for (const wrong of wrongFiles) {
      const seen = service.output().length
      writeFileSync(path, wrong)
      service.process.kill('SIGHUP')
      await service.says(new RegExp(`^[^]{${seen}}[^]*keeping the current file of the merchants`))
    }
    writeFileSync(path, right)
    return responses
  })
  const request = JSON.stringify({ ...fields, merchantAccountNumber: common.accountNumbers[0] })
  const signature = `${'0'.repeat(64)}///${'1'.repeat(64)}`
  const lines = [
    ['kcv'], ['serve', '--check'], ['verify', '--signature', signature, request],
    ['diagnose', '--signature', signature, request], ['doctor', 'http://127.0.0.1:9']
  ]
  for (const content of [right, ...short ? wrongFiles.slice(0, 2) : wrongFiles]) {
    writeFileSync(path, content)
    for (const args of content === right ? lines : lines.slice(0, 2)) {
      await searchCommand(t, search, args, folder, { MERCHANTS_FILE: path, STRICT: 'true' })
    }
  }
  return codes
}

/** Runs a command, and searches its output. */
async function searchCommand (
  t: Scope, search: Search, args: string[], cwd: string, variables: Record<string, string> = {}
): Promise<void> {
  const program = join(root, 'dist/tools/command-line/payment-signature.js')
  const child = start(t, process.execPath, [program, ...args], { cwd, env: { PATH: process.env.PATH, ...variables } })
  // The command that runs the service ends only when it is asked to.
  const ended = await Promise.race([child.ended, setTimeout(60_000, undefined)])
  if (ended === undefined) await child.terminate()
  // `explain` prints what is hashed on request, and hides the token unless --show-token is present.
  search.add(`payment-signature ${args[0]} ${args.slice(1).filter(arg => arg.startsWith('-')).join(' ')}`, child.output())
}

/** Requests with the token and its encodings in every place. */
async function requestsOf (port: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true })
  const all: string[] = []
  async function post (options: Omit<Parameters<typeof send>[1], 'agent'>): Promise<void> {
    const { statusCode, headers, body } = await send(port, { agent, ...options })
    all.push(`${statusCode} ${JSON.stringify(headers)} ${body}`)
  }
  const authorization = `Bearer ${key}`
  for (const encode of Object.values(encodings)) {
    const text = encode(token)
    const header = Buffer.from(text).toString('latin1').replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    await post({ path, headers: { authorization }, body: JSON.stringify({ ...fields, merchantToken: text }) })
    await post({ path, headers: { authorization: `Bearer ${header.replaceAll(' ', '')}` }, body: JSON.stringify(fields) })
    await post({ path, headers: { authorization, 'content-type': header, cookie: header, 'user-agent': header, traceparent: header, 'x-request-id': header, referer: header }, body: text })
    await post({ path, headers: { authorization }, body: `{"amount":"${text}` })
    await post({ path: `${path}?token=${encodeURIComponent(text)}`, headers: { authorization }, body: JSON.stringify(fields) })
  }
  for (const body of ['', '{', '[]', '{"__proto__":1}', JSON.stringify({ ...fields, amount: '0.00' }), '{"amount":"1.00"}',
    JSON.stringify({ ...fields, sid: undefined }), JSON.stringify({ ...fields, clientTimeStamp: undefined }), JSON.stringify({ ...fields, sid: ' ' }),
    JSON.stringify({ ...fields, amount: { toString: 1 } }), JSON.stringify({ ...fields, orderId: '+ +' }), JSON.stringify({ ...fields, operationType: 'refund', transactionFCRN: '1' }),
    JSON.stringify({ ...fields, merchantAccountNumber: '102552' }), JSON.stringify({ ...fields, orderId: 'O-402' }), JSON.stringify({ ...fields, orderId: 'O-500' }), 'x'.repeat(102_401)]) {
    await post({ path, headers: { authorization }, body })
  }
  await post({ path, headers: {}, body: '{}' })
  await post({ path: '/nowhere', method: 'GET', headers: {} })
  await post({ path, method: 'PUT', headers: {} })
  await post({ path: '/%c0', method: 'GET', headers: {} })
  await post({ path, headers: { authorization, 'content-type': 'text/plain' }, body: 'x' })
  for (let turn = 0; turn < 25; turn++) await post({ path, headers: { authorization: 'Bearer wrong' }, body: '{}' })
  agent.destroy()
  for (const bytes of [`${token}\r\n\r\n`, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: ${encodeURIComponent(token)}\r\nConnection: close\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`]) {
    all.push(await exchangeBytes({ port }, Buffer.from(bytes).toString('latin1'), 15_000))
  }
  return all
}

/** Command lines of each command, with a request that contains neither token nor signature of it. */
const commandLines = (folder: string): string[][] => {
  const request = JSON.stringify(fields)
  const wrong = `${'0'.repeat(64)}///${'1'.repeat(64)}`
  const tokenFile = ['--token-file', join(folder, 'token')]
  return [
    ...Object.keys(commands).map(name => [name, '--help']),
    ...Object.keys(commands).map(name => [name, '--unknown-flag']),
    ['version'], ['kcv', ...tokenFile], ['sign', ...tokenFile, request], ['explain', ...tokenFile, request],
    ['verify', ...tokenFile, '--signature', wrong, request], ['diagnose', ...tokenFile, '--signature', wrong, request],
    ['diagnose', ...tokenFile, '--json', '--signature', wrong, request],
    ['policy', 'check', join(folder, 'policy.json')], ['doctor', ...tokenFile, 'http://127.0.0.1:9'],
    ['healthcheck', 'http://127.0.0.1:9'], ['conformance', '--url', 'http://127.0.0.1:9'],
    ['sign', '--token-file', folder, request], ['sign', ...tokenFile, '{']
  ]
}

export const secrets: Part = {
  name: 'secrets',
  shows: 'The token, and each of the tokens of 500 merchants, is in no response, log, metric, audit record, process ' +
    'argument or output of a command, neither raw nor in ten encodings.',
  run: inScope('secrets', async (t, { note, short }) => {
    const search = new Search()
    const folder = t.testdir()
    writeFileSync(join(folder, 'token'), token)
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy))
    const missed = needles.filter(([name, needle]) => !found(`x${needle}x`).includes(name)).map(([name]) => name)
    const { origin } = await serve(t, (request, response) => {
      let body = ''
      request.on('data', data => { body += data }).on('end', () => {
        const status = body.includes('O-402') ? 402 : body.includes('O-500') ? 500 : 204
        search.add('the question to the backend', JSON.stringify(request.headers) + body)
        response.writeHead(status, { 'content-type': 'application/json' }).end(status === 402 ? '{"allowed":false,"error":"paid"}' : '')
      })
    })
    const guards = {
      POLICY_FILE: join(folder, 'policy.json'),
      AUDIT: 'required',
      AUDIT_FILE: join(folder, 'audit.log'),
      AUTHORIZE_URL: origin,
      ACCEPT_BODY_TOKEN: 'false',
      RATE_LIMIT_MAX: '10000'
    }
    const codes = await searchService(t, search, 'all guards', guards)
    note(`all guards: ${search.outputs} outputs`)
    for (const variant of short ? ['A'] : ['A', 'B']) {
      const found = await searchService(t, search, `no guards, variant ${variant}`, { VARIANT: variant, RATE_LIMIT_MAX: '60' })
      for (const code of found) codes.add(code)
    }
    const faults: Array<[name: string, variables: Record<string, string>]> = [
      ['a full disk', { AUDIT: 'required', AUDIT_FILE: '/dev/full' }],
      ['no Redis', { REDIS_URL: `redis://user:${encodeURIComponent(token)}@127.0.0.1:9/`, RATE_LIMIT_MAX: '60', RATE_LIMIT_FAIL: 'closed' }]
    ]
    for (const [name, variables] of short ? [] : faults) {
      for (const code of await searchService(t, search, name, variables)) codes.add(code)
    }
    for (const code of await searchApps(search)) codes.add(code)
    note(`no guards: ${search.outputs} outputs`)
    for (const code of await searchMerchants(t, search, short)) codes.add(code)
    note(`500 merchants: ${search.outputs} outputs`)
    for (const args of commandLines(folder)) await searchCommand(t, search, args, folder)
    const units = readdirSync(join(root, 'deploy/systemd')).filter(name => /^payment-signature@?\.service$/.test(name))
    const dumping = units.filter(name => !/^LimitCORE=0$/m.test(readFileSync(join(root, 'deploy/systemd', name), 'utf8')))
    const outside = Object.keys(errorCodes).filter(code => !codes.has(code))
    return {
      passed: [search.hits, dumping, missed, ...short ? [] : [outside]].every(faults => faults.length === 0),
      figures: {
        encodings: Object.keys(encodings).length - 1,
        merchants: merchants.length,
        'outputs searched': search.outputs,
        bytes: search.bytes,
        'error codes': codes.size,
        commands: Object.keys(commands).length,
        'systemd units that allow core dumps': dumping.length,
        hits: search.hits.length
      },
      details: [
        ...outside.length === 0 ? [] : [`Error codes that the traffic does not cause: ${outside.join(', ')}.`],
        ...search.hits.map(hit => `- ${hit}`)
      ].join('\n\n')
    }
  })
}
