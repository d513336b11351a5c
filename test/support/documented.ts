import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fencesOf, substitute, type Fence } from './documentation.js'
import { root } from './server.js'

// Code blocks that other tests run. test/system/documents.test.ts checks the others.

/** Code blocks that this module exports. */
export const taken: Fence[] = []

/** Returns the only code block of docs/ that is in a document and contains a text. */
function block (document: string, text: string): string {
  const found = fencesOf(`docs/${document}`).filter(fence => fence.text.includes(text))
  if (found.length !== 1) throw new Error(`docs/${document} has ${found.length} blocks with ${text}`)
  taken.push(...found)
  return found[0]!.text
}

const file = (path: string): string => readFileSync(join(root, path), 'utf8')

export const composeFiles = block('deploy.md', 'chown -R 65532')
export const composeCommands = block('deploy.md', 'root.crt')
export const probeBody = block('operations.md', '{"operationType":"inquiry"')
export const logrotate = block('audit.md', 'delaycompress')
export const policy = block('policy.md', '"name": "back-office"')
export const merchants = block('merchants.md', '"merchants"')
export const webSdk = block('browser.md', 'requestSale')
export const redisUsers = block('rate-limit.md', 'ACL SETUSER')
export const routeCommands = block('safe-tonight.md', 'OTHER_COOKIE')
export const routeAnswers = block('safe-tonight.md', '✓ stranger')
export const eightCommands = block('safe-tonight.md', 'eight-requests.mjs')
export const eightAnswers = block('safe-tonight.md', '✓ the purchase')
export const haproxyBuffers = block('deploy.md', 'http-buffer-request')
export const pythonCall = block('calling.md', 'signed_purchase')

/** Lines of docs/embedding.md for runtimes without a file of their own. */
export const runtimes = {
  bun: block('embedding.md', 'Bun.serve'),
  deno: block('embedding.md', 'Deno.serve')
}

/** The policy of the first steps. */
export const firstPolicy = file('examples/first/policy.json')

/** Server for the shop's route. */
export const nginxDoor = file('deploy/may-sign.conf')

/** Locations of a shop's server. */
export const nginxOfShop = file('deploy/nginx.conf')

/** deploy/nginx.conf for two instances: a server that serves a path prefix. It is inside `http {}`. */
export function nginxAt (prefix: string): string {
  const upstream = nginxOfShop.match(/^# (?:upstream|} *$| {4}).*/gm)?.map(line => line.slice(2)).join('\n')
  const location = substitute(nginxOfShop, { '/payments/': prefix, 'http://127.0.0.1:3001/': 'http://payment_signature/' })
  return `${upstream}\nserver {\nlisten 8080;\n${location}\n}`
}

/** Configurations of proxies in front of two instances, without a path prefix and without TLS. */
export const proxied = {
  nginx: nginxAt('/'),
  caddy: substitute(file('deploy/Caddyfile'), {
    'one:3001 other:3001': '127.0.0.1:3001 127.0.0.1:3002',
    'https://{$HOST_NAME}': ':8082'
  }).replace(/^\{[^]*?^\}\n/m, ''),
  /** Keeps connections to the service for all clients. */
  haproxy: `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  http-reuse always
listen shop
  bind 127.0.0.1:8080
  server one 127.0.0.1:3001
`
}
