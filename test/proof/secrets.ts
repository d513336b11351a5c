import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  JSON: text => JSON.stringify(text).slice(1, -1)
}

const needles = Object.entries(encodings)
  .flatMap(([name, encode]) => [token, beginning].map(text => [name, encode(text).toLowerCase()] as const))

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

/** Collects outputs, and reports those with a token in an encoding. Letter case is ignored. */
class Search {
  bytes = 0
  outputs = 0
  readonly hits: string[] = []
  /** Error codes of the responses. */
  readonly codes = new Set<string>()

  add (what: string, text: string): void {
    const lower = text.toLowerCase()
    this.outputs++
    this.bytes += Buffer.byteLength(text)
    for (const [name, needle] of needles) if (lower.includes(needle)) this.hits.push(`${what}: ${name}`)
  }

  addResponse (what: string, text: string): void {
    this.add(what, text)
    for (const [, code = ''] of text.matchAll(/error-code"?: ?"?([a-z-]+)/gi)) this.codes.add(code)
  }
}

type Options = Omit<Parameters<typeof send>[1], 'agent'>

/** Returns functions that send requests to a service: `ask` searches the response, `post` does not. */
function client (search: Search, name: string, port: number) {
  const agent = new Agent({ keepAlive: true })
  const post = (options: Options) => send(port, { agent, ...options })
  async function ask (options: Options): Promise<void> {
    const { statusCode, headers, body } = await post(options)
    search.addResponse(`${name}: a response`, `${statusCode} ${JSON.stringify(headers)} ${body}`)
  }
  async function askInBytes (text: string): Promise<void> {
    search.addResponse(`${name}: a response`, await exchangeBytes({ port }, Buffer.from(text).toString('latin1'), 15_000))
  }
  return { post, ask, askInBytes, end: () => agent.destroy() }
}
type Client = ReturnType<typeof client>

/** Runs a service, sends it requests, and searches everything that it wrote. */
async function searchService (
  t: Scope, search: Search, name: string, variables: Record<string, string>, traffic = everyRequest
): Promise<void> {
  const folder = t.testdir()
  writeFileSync(join(folder, 'token'), token)
  const service = server(t, {
    ...variables.MERCHANTS_FILE === undefined && { MERCHANT_TOKEN_FILE: join(folder, 'token') },
    LOG_LEVEL: 'trace',
    NODE_ENV: 'production',
    ADMIN_PORT: '0',
    ...variables
  }, { cwd: folder })
  const [, port] = await service.says(listening)
  const one = client(search, name, Number(port))
  await traffic(one, service)
  one.end()
  service.process.kill('SIGHUP')
  const [, metrics = ''] = /metrics at ([^\s"]+)/.exec(service.output()) ?? []
  search.add(`${name}: metrics`, await (await fetch(metrics)).text())
  search.add(`${name}: arguments`, readFileSync(`/proc/${service.process.pid}/cmdline`, 'latin1'))
  await service.terminate()
  search.add(`${name}: log`, service.output())
  const { AUDIT_FILE = '/dev/full' } = variables
  if (AUDIT_FILE !== '/dev/full') search.add(`${name}: audit`, readFileSync(AUDIT_FILE, 'utf8'))
}

const authorization = `Bearer ${key}`

/** Sends requests of every kind: some have the token and its encodings in every place. */
async function everyRequest ({ ask, askInBytes }: Client, { process }: Server): Promise<void> {
  const asked = JSON.stringify(fields)
  for (const encode of Object.values(encodings)) {
    const text = encode(token)
    const header = Buffer.from(text).toString('latin1').replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    const names = ['content-type', 'cookie', 'user-agent', 'traceparent', 'x-request-id', 'referer']
    await ask({ headers: { authorization }, body: JSON.stringify({ ...fields, merchantToken: text }) })
    await ask({ headers: { authorization: `Bearer ${header.replaceAll(' ', '')}` }, body: asked })
    await ask({ headers: { authorization, ...Object.fromEntries(names.map(name => [name, header])) }, body: text })
    await ask({ headers: { authorization }, body: `{"amount":"${text}` })
    await ask({ path: `${path}?token=${encodeURIComponent(text)}`, headers: { authorization }, body: asked })
  }
  const others = [
    { amount: '0.00' }, { sid: undefined }, { clientTimeStamp: undefined }, { sid: ' ' }, { amount: { toString: 1 } },
    { merchantAccountNumber: undefined }, { orderId: '+ +' }, { operationType: 'refund', transactionFCRN: '1' },
    { merchantAccountNumber: '102552' }, { orderId: 'O-402' }, { orderId: 'O-500' }
  ].map(other => JSON.stringify({ ...fields, ...other }))
  for (const body of ['', '{', '[]', '{"__proto__":1}', 'x'.repeat(102_401), ...others]) {
    await ask({ headers: { authorization }, body })
  }
  await ask({ body: '{}' })
  await ask({ path: '/nowhere', method: 'GET' })
  await ask({ method: 'PUT' })
  await ask({ path: '/%c0', method: 'GET' })
  await ask({ headers: { authorization, 'content-type': 'text/plain' }, body: 'x' })
  for (let turn = 0; turn < 25; turn++) await ask({ headers: { authorization: 'Bearer wrong' }, body: '{}' })
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`
  await askInBytes(`${token}\r\n\r\n`)
  await askInBytes(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  await askInBytes(`POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: ${encodeURIComponent(token)}\r\nConnection: close\r\n\r\n`)
  await askInBytes(`${head}Content-Length: 100\r\n\r\n{`)
  for (let pause = 0; pause < 4; pause++) { // the service has no processor for most of three seconds, and is overloaded
    process.kill('SIGSTOP')
    await setTimeout(700)
    process.kill('SIGCONT')
    await setTimeout(5)
  }
  await askInBytes(`${head}Content-Length: ${asked.length}\r\n\r\n${asked}GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
}

/** Runs the plugin in apps whose hook or signer fails, and searches responses and log. */
async function searchApps (search: Search): Promise<void> {
  const failing = { variant: 'A' as const, read: () => { throw new Error('no answer') }, signReading: () => '' }
  for (const thrown of [undefined, new Error('detail'), Object.assign(new Error('later'), { statusCode: 503 })]) {
    let log = ''
    const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => { log += line } } } })
    app.register(paymentSignature, thrown === undefined ? { signer: failing } : { variant: 'A', merchantToken: token })
    if (thrown !== undefined) app.addHook('preHandler', async () => { throw thrown })
    const { headers, body } = await app.inject({ method: 'POST', url: path, payload: { ...fields, merchantToken: token } })
    await app.close()
    search.addResponse('an app: a response', `${JSON.stringify(headers)} ${body}`)
    search.add('an app: log', log)
  }
}

/**
 * Searches a service with 500 merchants, which reads its file again with each fault, and the commands that read it.
 * Half of the tokens have files.
 */
async function searchMerchants (t: Scope, search: Search): Promise<void> {
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
  await searchService(t, search, '500 merchants', variables, async ({ post, ask }, service) => {
    for (const { token, accountNumbers: [merchantAccountNumber] } of merchants) {
      for (const own of [{}, { merchantToken: token }, { orderId: token }]) {
        await ask({ body: JSON.stringify({ ...fields, merchantAccountNumber, sid: randomUUID(), ...own }) })
      }
      // Only the log is searched: the response repeats the path to the client that sent it.
      await post({ path: `/${encodeURIComponent(token)}`, method: 'GET' })
    }
    await ask({ body: JSON.stringify({ ...fields, merchantAccountNumber: '999999' }) })
    for (const wrong of wrongFiles) {
      const seen = service.output().length
      writeFileSync(path, wrong)
      service.process.kill('SIGHUP')
      await service.says(new RegExp(`^[^]{${seen}}[^]*keeping the current file of the merchants`))
    }
    writeFileSync(path, right)
  })
  const request = JSON.stringify({ ...fields, merchantAccountNumber: common.accountNumbers[0] })
  const lines = [
    ['kcv'], ['serve', '--check'], ['verify', '--signature', wrongSignature, request],
    ['diagnose', '--signature', wrongSignature, request], ['doctor', 'http://127.0.0.1:9']
  ]
  for (const content of [right, ...wrongFiles]) {
    writeFileSync(path, content)
    for (const args of content === right ? lines : lines.slice(0, 2)) {
      await searchCommand(t, search, args, folder, { MERCHANTS_FILE: path, STRICT: 'true' })
    }
  }
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
  search.add(`payment-signature ${args.filter(arg => /^[a-z]|^-/.test(arg)).join(' ')}`, child.output())
}

const wrongSignature = `${'0'.repeat(64)}///${'1'.repeat(64)}`

/**
 * Command lines of each command, with a request that contains neither token nor signature of it. `explain` prints what
 * is hashed, and hides the token unless --show-token is present.
 */
const commandLines = (folder: string): string[][] => {
  const request = JSON.stringify(fields)
  const tokenFile = ['--token-file', join(folder, 'token')]
  return [
    ...Object.keys(commands).flatMap(name => [[name, '--help'], [name, '--unknown-flag']]),
    ['version'], ['kcv', ...tokenFile], ['sign', ...tokenFile, request], ['explain', ...tokenFile, request],
    ['verify', ...tokenFile, '--signature', wrongSignature, request],
    ['diagnose', ...tokenFile, '--signature', wrongSignature, request],
    ['diagnose', ...tokenFile, '--json', '--signature', wrongSignature, request],
    ['policy', 'check', join(folder, 'policy.json')], ['doctor', ...tokenFile, 'http://127.0.0.1:9'],
    ['healthcheck', 'http://127.0.0.1:9'], ['conformance', '--url', 'http://127.0.0.1:9'],
    ['sign', '--token-file', folder, request], ['sign', ...tokenFile, '{']
  ]
}

export const secrets: Part = {
  name: 'secrets',
  shows: 'The token, and each of the tokens of 500 merchants, is in no response, log, metric, audit record, process ' +
    'argument or output of a command, neither raw nor in six encodings.',
  run: inScope('secrets', async (t, { note, short }) => {
    const search = new Search()
    const folder = t.testdir()
    writeFileSync(join(folder, 'token'), token)
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy))
    const { origin } = await serve(t, (request, response) => {
      let body = ''
      request.on('data', data => { body += data }).on('end', () => {
        const status = body.includes('O-402') ? 402 : body.includes('O-500') ? 500 : 204
        search.add('the question to the backend', JSON.stringify(request.headers) + body)
        response.writeHead(status, { 'content-type': 'application/json' }).end(status === 402 ? '{"allowed":false,"error":"paid"}' : '')
      })
    })
    const services: Record<string, Record<string, string>> = {
      'all guards': {
        POLICY_FILE: join(folder, 'policy.json'),
        AUDIT: 'required',
        AUDIT_FILE: join(folder, 'audit.log'),
        AUTHORIZE_URL: origin,
        ACCEPT_BODY_TOKEN: 'false',
        RATE_LIMIT_MAX: '10000'
      },
      'no guards, variant A': { RATE_LIMIT_MAX: '60' },
      'no guards, variant B': { VARIANT: 'B', RATE_LIMIT_MAX: '60' },
      'a full disk': { AUDIT: 'required', AUDIT_FILE: '/dev/full' },
      'no Redis': {
        REDIS_URL: `redis://user:${encodeURIComponent(token)}@127.0.0.1:9/`, RATE_LIMIT_MAX: '60', RATE_LIMIT_FAIL: 'closed'
      }
    }
    for (const [name, variables] of Object.entries(services).slice(0, short ? 1 : undefined)) {
      await searchService(t, search, name, variables)
      note(`${name}: ${search.outputs} outputs`)
    }
    await searchApps(search)
    if (!short) await searchMerchants(t, search)
    note(`500 merchants: ${search.outputs} outputs`)
    for (const args of commandLines(folder)) await searchCommand(t, search, args, folder)
    const outside = Object.keys(errorCodes).filter(code => !search.codes.has(code))
    return {
      passed: search.hits.length === 0 && (short || outside.length === 0),
      figures: {
        encodings: Object.keys(encodings).length - 1,
        merchants: merchants.length,
        'outputs searched': search.outputs,
        bytes: search.bytes,
        'error codes': search.codes.size,
        commands: Object.keys(commands).length,
        hits: search.hits.length
      },
      details: [
        ...outside.length === 0 ? [] : [`Error codes that the traffic does not cause: ${outside.join(', ')}.`],
        ...search.hits.map(hit => `- ${hit}`)
      ].join('\n\n')
    }
  })
}
