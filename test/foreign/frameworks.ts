import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runtimes } from '../support/documented.js'
import { production } from '../support/example.js'
import { root } from '../support/server.js'
import type { ForeignPart, Project } from './project.js'

const path = '/api/generate-signature'

async function answerOf (url: string, body: string | ReadableStream, cookie = 'session=demo'): Promise<unknown[]> {
  const headers = { 'content-type': 'application/json', cookie }
  const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  return [response.status, await response.json()]
}

/** Sends requests that are signed, refused and too large. */
export async function checkServer (url: string): Promise<void> {
  deepStrictEqual(await answerOf(url, production.body), [200, { signature: production.signature }])
  deepStrictEqual(await answerOf(url, '{}'), [400, { error: 'merchantAccountNumber or accountNumber is required' }])
  const parts = ['{"orderId":"', ...Array<string>(30).fill('a'.repeat(10_000)), '"}']
  const large = Readable.toWeb(Readable.from(parts.map(part => Buffer.from(part))))
  deepStrictEqual(await answerOf(url, large as ReadableStream), [413, { error: 'Request body is too large' }])
}

/** Writes the examples of examples/frameworks that a framework needs to a project. Returns the name of the first. */
function written (project: Project, ...names: string[]): string {
  const texts = [...names, 'authorize.mjs', 'shop.mjs'].map(name => [name, readFileSync(join(root, 'examples/frameworks', name), 'utf8')] as const)
  const [first = ''] = texts.map(([name, text]) => {
    const [, place = name] = /^\/\/ (\S+\.m?js)\n/.exec(text) ?? []
    project.write(place, text)
    return place
  })
  return first
}

/** Writes a program with the lines of docs/embedding.md for a runtime. Returns its name. */
const lines = (project: Project, runtime: keyof typeof runtimes) => project.writeBlock(`// ${runtime}.mjs
import { createHandler } from 'payment-signature-backend/app'
const options = { config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' } }
${runtimes[runtime].replace('port: 3000', 'port: Number(process.env.PORT)')}`)

/** Checks that a program signs for a shopper, and neither for a stranger nor without a token. */
async function served (project: Project, ...command: string[]): Promise<void> {
  await checkServer(await project.serve(command) + path)
  deepStrictEqual(await answerOf(await project.serve(command, {}) + path, production.body), [401, { error: 'Log in first' }])
  const answer = await project.serve(command, { SHOP: 'demo', MERCHANT_TOKEN: '' })
    .then(url => fetch(url + path, { method: 'POST', headers: { cookie: 'session=demo' }, body: production.body }), () => ({ status: 'not started' }))
  if (answer.status !== 'not started' && answer.status !== 500) throw new Error(`without a token: ${answer.status}`)
}

/** Runs the lines of docs/embedding.md for a runtime. They show no log-in. */
async function ran (project: Project, ...command: string[]): Promise<void> {
  await checkServer(await project.serve(command) + path)
}

const http = { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl' }
const headers = { 'content-type': 'application/json', cookie: 'session=demo', host: 'x.lambda-url.eu-west-1.on.aws', 'x-forwarded-for': '203.0.113.66, 192.0.2.1' }
const sent = { headers, body: Buffer.from(production.body).toString('base64'), isBase64Encoded: true }
const rest = { httpMethod: 'POST', path, queryStringParameters: null, ...sent }

/** Events of an HTTP API or a function URL, also with a stage, of a REST API, and of a load balancer. */
const events = [
  { version: '2.0', rawPath: `/prod${path}`, rawQueryString: '', requestContext: { domainName: headers.host, http }, ...sent },
  { version: '2.0', rawPath: path, rawQueryString: '', requestContext: { domainName: headers.host, http }, ...sent },
  { version: '1.0', resource: path, requestContext: { domainName: headers.host, identity: { sourceIp: '192.0.2.1' } }, ...rest },
  { requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:x' } }, ...rest }
]

/** Examples of docs/embedding.md. */
export const frameworks: Readonly<Record<string, ForeignPart>> = {
  hono: {
    packages: ['hono', '@hono/node-server'],
    run: async project => { await served(project, 'node', written(project, 'hono.mjs')) }
  },
  http: {
    packages: [],
    run: async project => { await served(project, 'node', written(project, 'http.mjs')) }
  },
  nest: {
    packages: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', 'reflect-metadata', 'rxjs'],
    async run (project) {
      project.write('app.module.mjs', `import { Module } from '@nestjs/common'
        export class AppModule {}
        Module({})(AppModule)`)
      await served(project, 'node', written(project, 'nest.mjs', 'fastify-route.mjs'))
    }
  },
  next: {
    packages: ['next', 'react', 'react-dom'],
    async run (project) {
      written(project, 'next-route.js', 'next.config.mjs')
      for (const name of ['authorize.mjs', 'shop.mjs']) await project.run('cp', name, 'app/api/generate-signature/')
      project.write('app/layout.js', 'export default ({ children }) => <html><body>{children}</body></html>\n')
      await project.run('node_modules/.bin/next', 'build')
      await served(project, 'node_modules/.bin/next', 'start')
    }
  },
  firebase: {
    packages: ['@google-cloud/functions-framework'],
    async run (project) {
      await served(project, 'node_modules/.bin/functions-framework', '--target=sign', '--source', written(project, 'firebase.mjs'))
    }
  },
  bun: {
    packages: ['bun'],
    run: async project => { await ran(project, 'node_modules/.bin/bun', lines(project, 'bun')) }
  },
  deno: {
    packages: ['deno'],
    run: async project => {
      await ran(project, 'node_modules/.bin/deno', 'run', '--no-prompt',
        '--allow-net', '--allow-env', '--allow-read', '--allow-sys=hostname', lines(project, 'deno'))
    }
  },
  lambda: {
    packages: ['hono'],
    async run (project) {
      const name = written(project, 'lambda.mjs')
      project.write('invoke.mjs', `process.env.SHOP = process.argv[2]
        process.env.MERCHANT_TOKEN = process.argv[3]
        const { handler } = await import('./${name}')
        for (const event of ${JSON.stringify(events)}) console.log(JSON.stringify(await handler(event, {})))`)
      const invoke = async (shop: string, token = production.token) => (await project.run('node', 'invoke.mjs', shop, token))
        .trim().split('\n').map(line => JSON.parse(line))
      const lines = await invoke('demo')
      const answers = (all: typeof lines) => all.filter(line => 'isBase64Encoded' in line).map(({ statusCode, body }) => [statusCode, JSON.parse(body)])
      deepStrictEqual(answers(lines), events.map(() => [200, { signature: production.signature }]))
      deepStrictEqual(lines.filter(({ msg }) => msg === 'request completed').map(({ clientAddress }) => clientAddress), events.map(() => '192.0.2.1'))
      deepStrictEqual(answers(await invoke('')), events.map(() => [401, { error: 'Log in first' }]))
      const hasStarted = await invoke('demo', '').then(() => true, () => false)
      if (hasStarted) throw new Error('without a token: it starts')
    }
  }
}
