import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { substitute } from '../support/documentation.js'
import { runtimes } from '../support/documented.js'
import { production } from '../support/example.js'
import { root } from '../support/server.js'
import type { ForeignPart, Project } from './project.js'

const path = '/api/generate-signature'

async function answerOf (url: string, body: string | ReadableStream, cookie = 'session=1'): Promise<unknown[]> {
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

/** Sends a request without the cookie of a logged-in user. */
async function checkLogIn (url: string): Promise<void> {
  deepStrictEqual(await answerOf(url, production.body, 'session=2'), [401, { error: 'Log in first' }])
}

/** Writes an example of examples/frameworks to a project, under the name in its first line, with one more option. */
function written (project: Project, name: string, guard = ''): string {
  const text = readFileSync(join(root, 'examples/frameworks', name), 'utf8')
  return project.writeBlock(guard === '' ? text : substitute(text, { "STRICT: 'true' },": `STRICT: 'true' }, ${guard},` }))
}

/** Writes a program with the lines of docs/embedding.md for a runtime. Returns its name. */
const lines = (project: Project, runtime: keyof typeof runtimes) => project.writeBlock(`// ${runtime}.mjs
import { createHandler } from 'payment-signature-backend/fetch'
const options = { config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN ?? '', STRICT: 'true' } }
${runtimes[runtime].replace('port: 3000', 'port: Number(process.env.PORT)')}`)

/** Runs a program as a server, and checks it. The program is the last argument. */
async function served (project: Project, command: string[], prefix = ''): Promise<string> {
  const [program = '', ...args] = command
  const url = await project.serve(program, ...args) + prefix + path
  await checkServer(url)
  return url
}

const http = { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl' }
const headers = { 'content-type': 'application/json', host: 'x.lambda-url.eu-west-1.on.aws', 'x-forwarded-for': '203.0.113.66, 192.0.2.1' }
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
    run: async project => await checkLogIn(await served(project, ['node', written(project, 'hono.mjs')]))
  },
  nest: {
    packages: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', 'reflect-metadata', 'rxjs'],
    async run (project) {
      project.write('app.module.mjs', `import { Module } from '@nestjs/common'
        export class AppModule {}
        Module({})(AppModule)`)
      written(project, 'fastify-route.mjs')
      await served(project, ['node', written(project, 'nest.mjs')])
    }
  },
  express: {
    packages: ['express'],
    run: async project => await checkLogIn(await served(project, ['node', written(project, 'express.mjs')]))
  },
  next: {
    packages: ['next', 'react', 'react-dom'],
    async run (project) {
      for (const name of ['next-route.js', 'next.config.mjs']) written(project, name)
      project.write('app/layout.js', 'export default ({ children }) => <html><body>{children}</body></html>\n')
      await project.run('node_modules/.bin/next', 'build')
      await served(project, ['node_modules/.bin/next', 'start'])
    }
  },
  firebase: {
    packages: ['@google-cloud/functions-framework'],
    async run (project) {
      const name = written(project, 'firebase.mjs')
      await served(project, ['node_modules/.bin/functions-framework', '--target=sign', '--source', name])
    }
  },
  bun: {
    packages: ['bun'],
    run: async project => { await served(project, ['node_modules/.bin/bun', lines(project, 'bun')]) }
  },
  deno: {
    packages: ['deno'],
    run: async project => { await served(project, ['node_modules/.bin/deno', 'run', '--allow-all', lines(project, 'deno')]) }
  },
  lambda: {
    packages: ['hono'],
    async run (project) {
      const guard = "authorize: ({ clientAddress }) => clientAddress === '192.0.2.1' || { statusCode: 403, error: clientAddress }"
      const name = written(project, 'lambda.mjs', guard)
      for (const event of events) {
        project.write('invoke.mjs', `import { handler } from './${name}'
          console.log(JSON.stringify(await handler(${JSON.stringify(event)}, {})))`)
        const lines = (await project.run('node', 'invoke.mjs')).trim().split('\n') // the log, too
        const { statusCode, body } = JSON.parse(lines.find(line => line.includes('"isBase64Encoded"')) ?? '')
        deepStrictEqual([statusCode, JSON.parse(body)], [200, { signature: production.signature }])
      }
    }
  }
}
