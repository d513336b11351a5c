export interface Elsewhere {
  /** How its text begins. */
  begins: string
  /** What runs it, and names the document; or has the texts of `says`, as the block has. */
  test?: string
  says?: readonly string[]
  /** Or why nothing runs it. */
  why?: string
}

const code = 'an excerpt of a program; names and types are those of the tests of what it calls'
const release = 'takes a release that has been published'
const machine = 'changes the machine, or runs for as long as the service'
const together = 'is run with another block of its document'

/** The blocks that test/documents.test.ts does not run itself, by their documents. An empty `begins` is all of them. */
export const elsewhere: Readonly<Record<string, readonly Elsewhere[]>> = {
  'README.md': [{ begins: 'npm ci && npm start', why: machine }],
  'SECURITY.md': [{ begins: 'cosign verify', why: release }, { begins: 'gh attestation', why: release }],
  'CONTRIBUTING.md': [{ begins: 'npx tsc && npx tap', why: 'runs the tests' }],
  'docs/audit.md': [
    { begins: '{"level":30', test: 'test/plugins/signing/audit.test.ts', says: ['decision'] },
    { begins: '/var/log/payment-signature/audit.log {', why: 'takes logrotate' }
  ],
  'docs/client.md': [
    { begins: 'import { requestSignature }', test: 'test/client/signed-request.test.ts', says: ['signed.applyTo(builder)'] },
    { begins: '$ npm run example', test: 'test/examples/serve.test.ts', says: ['Ctrl-C ends them all'] }
  ],
  'docs/compose.md': [{ begins: 'docker compose', test: 'test/system/containers/compose.test.ts' }],
  'docs/conformance.md': [
    { begins: 'payment-signature conformance -- php', test: 'test/system/conformance.test.ts' }
  ],
  'docs/container.md': [
    { begins: 'docker build', test: 'test/system/containers/image.test.ts' },
    { begins: 'docker run --detach', test: 'test/system/containers/image.test.ts' },
    { begins: 'docker run --rm', test: 'test/system/containers/image.test.ts' },
    { begins: 'healthcheck:', test: 'test/system/containers/image.test.ts' },
    { begins: 'echo \'{"securityContext"', why: 'takes a cluster' }
  ],
  'docs/embedding.md': [
    { begins: 'import Fastify', why: code },
    { begins: 'import { fieldsOf', why: code }
  ],
  'docs/kubernetes.md': [
    { begins: 'grep -rn', test: 'test/system/containers/kubernetes.test.ts' },
    { begins: 'kubectl apply', why: 'takes a cluster' },
    { begins: 'kubectl kustomize', test: 'test/system/containers/kubernetes.test.ts' },
    { begins: 'kubectl --namespace', why: 'takes a cluster' }
  ],
  'docs/library.md': [
    { begins: 'for (const {', why: together },
    { begins: 'clientTimeStamp "', why: together },
    { begins: 'const { causes', why: together },
    { begins: '[', why: together }
  ],
  'docs/monitoring.md': [{ begins: 'rule_files:', test: 'test/system/containers/compose.test.ts' }],
  'docs/operations.md': [
    { begins: '{"level":40', test: 'test/plugins/http/connections.test.ts', says: ['connections to PORT refused, too many are open'] },
    { begins: '{"level":30,…,"statusCode":404', test: 'test/plugins/http/request-log.test.ts', says: ['Not Found', 'more requests refused'] },
    { begins: '{"level":30', test: 'test/shutdown-delay.test.ts', says: ['SIGTERM, not ready any more, still serving for', 'SIGTERM, shutting down'] },
    { begins: 'defaults\n    mode http', test: 'test/support/proxies.ts' }
  ],
  'docs/policy.md': [
    { begins: 'HTTP/1.1 403', test: 'test/plugins/signing/policy-guard.test.ts', says: ['may not sign this operation (operations)'] },
    { begins: 'HTTP/1.1 429', test: 'test/plugins/signing/key-failures.test.ts', says: ['Too many requests without a known API key: try again in 60 seconds'] },
    { begins: '{"level":30,"statusCode":429', test: 'test/plugins/signing/key-failures.test.ts', says: ['more requests refused'] },
    { begins: '{"level":30,"msg":"the policy', test: 'test/plugins/signing/policy-guard.test.ts', says: ['the policy was replaced', 'the policy is unchanged', 'keeping the current policy'] },
    { begins: 'POST /may-sign', test: 'test/plugins/signing/authorize.test.ts', says: ['"caller":"anonymous","clientAddress":"'] },
    { begins: 'import { createServer }', test: 'test/plugins/signing/backend-adapters.test.ts' },
    { begins: 'import { createApp }', why: code }
  ],
  'docs/production.md': [
    { begins: 'npm ci && npm run build', why: machine },
    ...['{\n  "callers"', 'NODE_ENV=', 'TRUST_PROXY=', 'RATE_LIMIT_MAX=', 'AUDIT=', 'SHUTDOWN_DELAY='].map(begins => ({ begins, why: together })),
    { begins: '$ curl -s https://shop.example', test: 'test/src/admin.test.ts', says: ['{"error":"Not Found: GET /nowhere"}'] }
  ],
  'docs/proxy-errors.md': [{ begins: '', test: 'test/system/reverse-proxy.test.ts' }],
  'docs/rate-limit.md': [
    { begins: 'HTTP/1.1 429', test: 'test/plugins/signing/rate-limit.test.ts', says: ['Too many requests: try again in 60 seconds'] },
    { begins: '{"level":30', test: 'test/plugins/signing/rate-limit.test.ts', says: ['more requests refused'] },
    { begins: 'ACL SETUSER', test: 'test/system/redis-kinds.test.ts' },
    { begins: 'HTTP/1.1 503', test: 'test/plugins/signing/rate-limit.test.ts', says: ['Rate limit is unavailable'] },
    { begins: '{"level":40', test: 'test/src/service/redis-connection.test.ts', says: ['Redis is unavailable', 'Redis is back'] }
  ],
  'docs/reverse-proxy.md': [{ begins: '', test: 'test/system/reverse-proxy.test.ts' }],
  'docs/several-instances.md': [{ begins: '', test: 'test/support/proxies.ts' }],
  'docs/several-merchants.md': [{ begins: '', test: 'test/examples/several-merchants.test.ts' }],
  'docs/strict.md': [
    { begins: 'amount must be', test: 'test/src/guard/strict.test.ts', says: ['it has U+0661 at position 1'] },
    { begins: 'clientTimeStamp', test: 'test/plugins/signing/strict-guard.test.ts', says: ['ms ahead of the service\'s clock'] }
  ],
  'docs/systemd.md': [
    { begins: 'sudo npm install', why: machine },
    { begins: 'sudo sh -c \'umask', why: machine },
    { begins: 'STRICT=true', test: 'test/system/systemd.test.ts' },
    { begins: 'sudo sh -c \'cd /', test: 'test/system/systemd.test.ts' },
    { begins: 'sudo systemctl disable', why: machine },
    { begins: 'for port in', why: machine },
    { begins: 'echo net.ipv4', test: 'test/system/systemd.test.ts' }
  ],
  'docs/token.md': [
    { begins: '{"level":30,"msg":"the merchant', test: 'test/plugins/signer.test.ts', says: ['the merchant token was replaced, key check value 625429', 'the merchant token is unchanged', 'which is empty; keeping the current merchant token, key check value 625429'] },
    { begins: '{"level":30,"msg":"listening', test: 'test/server.test.ts', says: ['version 0.1.0, variant '] }
  ],
  'docs/tracing.md': [{ begins: '$ ', test: 'test/system/tracing.test.ts' }],
  'vectors/README.md': [{ begins: 'f0ba15d6', why: together }]
}
