import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'

interface Page {
  /** Its file, from the root of the project. */
  file: string
  type: string
}

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'

const pages: Readonly<Record<string, Page>> = {
  '/pages.css': { file: 'examples/pages.css', type: css },
  '/client.js': { file: 'dist/client/index.js', type: javascript },
  '/checkout/': { file: 'examples/checkout/index.html', type: html },
  '/checkout/checkout.js': { file: 'examples/checkout/checkout.js', type: javascript },
  '/checkout/builder.js': { file: 'examples/checkout/builder.js', type: javascript },
  '/inspector/': { file: 'examples/inspector/index.html', type: html },
  '/inspector/inspector.js': { file: 'examples/inspector/inspector.ts', type: javascript }
}

/** A file as browsers take it: TypeScript is bundled, with what it needs of the library. */
async function contentOf (path: string): Promise<string | Uint8Array> {
  if (!path.endsWith('.ts')) return readFile(path)
  const { outputFiles: [bundle] } = await build({ entryPoints: [path], bundle: true, format: 'esm', target: 'es2022', write: false })
  return String(bundle?.text)
}

/**
 * Serves the example pages, and nothing but them: the service itself serves no pages.
 *
 * @param root - the folder of the project, in which the client has been built
 * @param endpoints - where the services of variant A and B are, read anew for each page
 */
export function createPageServer (root: string, endpoints: { A: string, B: string }): Server {
  return createServer(async ({ url = '' }, response) => {
    const [path = ''] = url.split('?')
    const page = pages[path]
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    if (path === '/') response.writeHead(302, { location: '/checkout/' }).end()
    else if (path === '/services.json') response.setHeader('content-type', 'application/json').end(JSON.stringify(endpoints))
    else if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not Found')
    else response.setHeader('content-type', page.type).end(await contentOf(join(root, page.file)))
  })
}
