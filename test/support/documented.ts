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

/** Returns a file of examples/ that the documents link to. */
const example = (path: string): string => readFileSync(join(root, 'examples', path), 'utf8')

export const composeCommands = block('deploy.md', 'root.crt')
export const scrapeConfiguration = block('operations.md', 'rule_files:')
export const probeCaller = block('operations.md', '"name": "payment-signature-probe"')
export const logrotate = block('operations.md', 'postrotate')
export const containerRun = block('deploy.md', 'docker run --detach')
export const containerCommands = block('deploy.md', 'kcv --token-file')
export const policy = block('authorization.md', '"name": "back-office"')
export const merchants = block('merchants.md', '"merchants"')
export const webSdk = block('browser.md', 'requestSale')
export const redisUsers = block('authorization.md', 'ACL SETUSER')
export const nginxLocation = block('safe-tonight.md', 'location /payments/')
export const eightAnswers = block('safe-tonight.md', '✓ the purchase')
export const cronLine = block('safe-tonight.md', 'stranger.sh https')
export const pythonCall = block('calling.md', 'signature_for')

/** Examples for frameworks, which `npm run foreign` runs. */
export const worksIn = {
  hono: example('frameworks/hono.mjs'),
  nextRoute: example('frameworks/next-route.js'),
  nextConfiguration: example('frameworks/next.config.mjs'),
  bun: example('frameworks/bun.mjs'),
  deno: example('frameworks/deno.mjs'),
  lambda: example('frameworks/lambda.mjs'),
  firebase: example('frameworks/firebase.mjs'),
  nest: example('frameworks/nest.mjs')
}

const proxyFile = (name: string) => readFileSync(join(root, 'deploy/proxies', name), 'utf8')

/** Configurations of proxies in front of two instances. */
export const proxied = {
  nginx: substitute(proxyFile('nginx.conf'), { // without TLS; its second server
    'listen 443 ssl': 'listen 8080', 'listen 80;': 'listen unix:redirect.sock;'
  }).replace(/ +ssl_certificate.*\n/g, ''),
  haproxy: proxyFile('haproxy.cfg'),
  caddy: proxyFile('Caddyfile')
}
