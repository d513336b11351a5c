import { deepStrictEqual } from 'node:assert/strict'
import { Readable } from 'node:stream'
import { worksIn } from '../support/documented.js'
import { production } from '../support/example.js'
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
  const large = Readable.toWeb(Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(10_000, 'a'))))
  deepStrictEqual(await answerOf(url, large as ReadableStream), [413, { error: 'Request body is too large' }])
}

/** Sends a request without the cookie of a logged-in user. */
async function checkLogIn (url: string): Promise<void> {
  deepStrictEqual(await answerOf(url, production.body, 'session=2'), [401, { error: 'Log in first' }])
}

/** Returns a function that runs a code block as a server. */
const served = (block: string, command: string[], prefix = '', check?: typeof checkLogIn) => async (project: Project) => {
  const [program = '', ...args] = command
  const url = await project.serve(program, ...args, project.writeBlock(block)) + prefix + path
  await checkServer(url)
  await check?.(url)
}

/** An event of a function URL, or of an HTTP API, with the payload version 2.0. */
const event = {
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: '',
  headers: { 'content-type': 'application/json', 'content-length': String(production.body.length), host: 'x.lambda-url.eu-west-1.on.aws' },
  requestContext: {
    accountId: 'anonymous',
    apiId: 'x',
    domainName: 'x.lambda-url.eu-west-1.on.aws',
    domainPrefix: 'x',
    http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl' },
    requestId: 'id',
    routeKey: '$default',
    stage: '$default',
    time: '12/Mar/2024:19:03:58 +0000',
    timeEpoch: 1583348638390
  },
  body: Buffer.from(production.body).toString('base64'),
  isBase64Encoded: true
}

/** Examples of docs/embedding.md. */
export const frameworks: Readonly<Record<string, ForeignPart>> = {
  hono: { packages: ['hono', '@hono/node-server'], run: served(worksIn.hono, ['node'], '', checkLogIn) },
  firebase: {
    packages: ['@google-cloud/functions-framework'],
    run: served(worksIn.firebase, ['node_modules/.bin/functions-framework', '--target=sign', '--source'], '', checkLogIn)
  },
  bun: { packages: ['bun'], run: served(worksIn.bun, ['node_modules/.bin/bun']) },
  deno: { packages: ['deno'], run: served(worksIn.deno, ['node_modules/.bin/deno', 'run', '--allow-all']) },
  nest: {
    packages: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', 'reflect-metadata', 'rxjs'],
    async run (project) {
      project.write('app.module.mjs', `import { Module } from '@nestjs/common'
        export class AppModule {}
        Module({})(AppModule)`)
      await served(worksIn.nest, ['node'])(project)
    }
  },
  next: {
    packages: ['next', 'react', 'react-dom'],
    async run (project) {
      project.writeBlock(worksIn.nextRoute)
      project.writeBlock(worksIn.nextConfiguration)
      project.write('app/layout.js', 'export default ({ children }) => <html><body>{children}</body></html>\n')
      await project.run('node_modules/.bin/next', 'build')
      await checkServer(await project.serve('node_modules/.bin/next', 'start') + path)
    }
  },
  lambda: {
    packages: ['hono'],
    async run (project) {
      const name = project.writeBlock(worksIn.lambda)
      project.write('invoke.mjs', `import { handler } from './${name}'
        console.log(JSON.stringify(await handler(${JSON.stringify(event)}, {})))`)
      const { statusCode, body } = JSON.parse(await project.run('node', 'invoke.mjs'))
      deepStrictEqual([statusCode, JSON.parse(body)], [200, { signature: production.signature }])
    }
  }
}
