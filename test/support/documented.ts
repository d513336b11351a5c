import { fencesOf, type Fence } from './documentation.js'

// Code blocks that other tests run. test/system/documents.test.ts runs the others, and fails if a block is in neither.

/** Code blocks that this module exports. */
export const taken: Fence[] = []

/** Returns the only code block of docs/ that is in a document and contains a text. */
function block (document: string, text: string): string {
  const found = fencesOf(`docs/${document}`).filter(fence => fence.text.includes(text))
  if (found.length !== 1) throw new Error(`docs/${document} has ${found.length} blocks with ${text}`)
  taken.push(...found)
  return found[0]!.text
}

export const composeCommands = block('compose.md', 'root.crt')
export const scrapeConfiguration = block('monitoring.md', 'rule_files:')
export const logrotate = block('audit.md', 'postrotate')
export const containerRun = block('container.md', 'docker run --detach')
export const containerCommands = block('container.md', 'docker run --rm')
export const redisUsers = block('authorization.md', 'ACL SETUSER')
export const severalMerchants = block('several-merchants.md', 'import { createHash')

/** Blocks that `npm run foreign` runs. */
export const worksIn = {
  hono: block('works-in.md', '@hono/node-server'),
  nextRoute: block('works-in.md', 'export const POST'),
  nextConfiguration: block('works-in.md', 'serverExternalPackages'),
  bun: block('works-in.md', 'Bun.serve'),
  deno: block('works-in.md', 'Deno.serve'),
  lambda: block('works-in.md', 'hono/aws-lambda'),
  express: block('works-in.md', "from 'express'"),
  nest: block('works-in.md', 'NestFactory')
}

/** Configurations of proxies: in front of one instance, of two, and with errors in JSON. */
export const proxied = {
  one: {
    nginx: block('reverse-proxy.md', 'location /payments/'),
    haproxy: block('reverse-proxy.md', '\nfrontend '),
    caddy: block('reverse-proxy.md', ':8082 {')
  },
  two: {
    nginx: block('several-instances.md', 'upstream '),
    haproxy: block('operations.md', '\nfrontend '),
    caddy: block('several-instances.md', 'health_interval'),
    apache: block('several-instances.md', 'BalancerMember'),
    varnish: block('several-instances.md', 'vcl_init')
  },
  errors: {
    nginx: block('proxy-errors.md', 'error_page'),
    haproxy: block('proxy-errors.md', 'http-error'),
    caddy: block('proxy-errors.md', 'handle_errors')
  }
}

/** Calls of the service from backends. */
export const calls = {
  'Node.js': block('calling.md', 'AbortSignal.timeout'),
  Python: block('calling.md', 'urllib.request.urlopen'),
  PHP: block('calling.md', 'stream_context_create'),
  Go: block('calling.md', 'client.Post'),
  Java: block('calling.md', 'HttpClient.newBuilder')
}
