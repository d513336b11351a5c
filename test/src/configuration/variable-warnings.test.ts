import t from 'tap'
import { variableWarnings } from '../../../src/configuration/variable-warnings.js'

/** Misspelled names, by the intended variable. */
const misspelt = {
  MERCHANT_TOKEN: ['MERCHANT_TOKN', 'MERCHAND_TOKENS', 'merchant-token', 'MERCHANTTOKEN', 'MERCHANT_TOKEN_PROD',
    'TOKEN'],
  MERCHANT_TOKEN_FILE: ['MERCHANT_TOKEN_FIEL', 'Merchant_Token_File', 'MERCHANT_TOKEN_FILE_PATH', 'TOKEN_FILE',
    'MERCHANT_TOKEN_PATH'],
  AUTHORIZE_URL: ['AUTHORISE_URL', 'AUTHORIZATION_URL', 'authorisation_url'],
  STRICT: ['STRCT', 'STIRCT', 'strict', 'STRICT_MODE', 'ENABLE_STRICT', 'PAYMENT_SIGNATURE_STRICT'],
  NODE_ENV: ['NODE_EVN', 'node_env'],
  CORS_ORIGIN: ['CORS_ORIGINS', 'ALLOWED_ORIGINS'],
  LOG_LEVEL: ['LOG_LEVELS', 'LOGG_LEVELS', 'PAYMENT_SIGNATURE_BACKEND_LOG_LEVEL'],
  TRUST_PROXY: ['TRUSTED_PROXY', 'TRUST_PROXIES', 'TRUSTED_PROXIES'],
  RATE_LIMIT_MAX: ['RATE_LIMIT_MAXX', 'RATE_LIMIT', 'RATELIMIT'],
  RATE_LIMIT_WINDOW: ['RATE_LIMIT_TIME_WINDOW'],
  ADMIN_PORT: ['METRICS_PORT'],
  SHUTDOWN_DELAY: ['SHUTDOWN_TIMEOUT'],
  REDIS_URL: ['REDIS'],
  HOST: ['BIND'],
  AUDIT: ['AUDITT', 'AUDIT_LOG', 'AUDIT_PORTAL', 'USE_AUDIT'],
  PORT: ['port'],
  POLICY_FILE: ['POLICY_FILE_PATH', 'POLICY']
}

for (const [meant, names] of Object.entries(misspelt)) {
  t.test(`misspellings of ${meant}`, async t => {
    for (const name of names) {
      t.strictSame(variableWarnings({ [name]: 'canary' }),
        [`${name} is not a variable of this service, and has no effect; did you mean ${meant}?`])
      t.strictSame(variableWarnings({ [name]: '' }), [], 'not set')
    }
  })
}

/** Variables of systems, shells, containers, platforms and other programs. */
const others = `
  HOME HOSTNAME HOSTTYPE LANG LANGUAGE LC_ALL LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TERM TMPDIR TZ USER _ EDITOR PS1
  DISPLAY SSH_AUTH_SOCK SCRIPT DOC DOCK PORTS HOSTS POST VARIABLE XDG_RUNTIME_DIR MACHTYPE OSTYPE VENDOR GROUP COLORTERM
  INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY MAINPID
  NODE NODE_VERSION NODE_OPTIONS NODE_PATH NODE_EXE NODE_DEBUG NODE_EXTRA_CA_CERTS NODE_APP_INSTANCE YARN_VERSION
  NO_COLOR FORCE_COLOR INIT_CWD npm_config_loglevel npm_config_audit npm_lifecycle_event NPM_CONFIG_LOGLEVEL
  NPM_CONFIG_AUDIT npm_package_name pm_id PM2_HOME DEBUG CI
  http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR
  KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT KUBERNETES_PORT_443_TCP
  KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PROTO PAYMENT_SIGNATURE_PORT PAYMENT_SIGNATURE_SERVICE_HOST
  PAYMENT_SIGNATURE_SERVICE_PORT PAYMENT_SIGNATURE_PORT_3001_TCP PAYMENT_SIGNATURE_HOST AUDIT_SERVICE_HOST AUDIT_PORT
  AUDIT_SERVICE_PORT_HTTP AUDIT_PORT_80_TCP_ADDR REDIS_SERVICE_HOST REDIS_PORT POD_NAME POD_IP NODE_NAME NODE_IP HOST_IP
  OTEL_LOG_LEVEL OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT OTEL_TRACES_SAMPLER DD_ENV DD_LOG_LEVEL SENTRY_DSN
  DB_HOST DB_PORT DATABASE_URL PGHOST PGPORT REDIS_HOST REDIS_PASSWORD CACHE_REDIS_URL REDIS_URL_STUNNEL RUST_LOG
  AWS_REGION AWS_EXECUTION_ENV AWS_LAMBDA_LOG_LEVEL AWS_SESSION_TOKEN AWS_WEB_IDENTITY_TOKEN_FILE ECS_CONTAINER_METADATA_URI
  DYNO K_SERVICE K_REVISION WEBSITE_HOSTNAME FLY_APP_NAME VERCEL_ENV VERCEL_URL RENDER AUDITORIUM NODE_ENV_FILE LOG_LEVEL_ROOT ENV URL PUBLIC_URL API_URL
  GITHUB_TOKEN GITHUB_ACTIONS CI_JOB_TOKEN NPM_TOKEN VAULT_TOKEN VAULT_ADDR MERCHANT_ID MERCHANT_NAME MERCHANT_CODE
  PAYMENT_SIGNATURE_API_KEY
`.trim().split(/\s+/)

t.test('variables of other programs cause no warning', async t => {
  t.strictSame(variableWarnings(Object.fromEntries(others.map(name => [name, 'value']))), [])
})

t.test('variables that Kubernetes sets for a service named metrics cause no warning', async t => {
  t.strictSame(variableWarnings({ METRICS_PORT: 'tcp://10.96.0.7:9464' }), [])
})

t.test('our own variables cause no warning', async t => {
  t.strictSame(variableWarnings({ STRICT: 'true', MERCHANT_TOKEN_FILE: '/token', PORT: 1, CORS_ORIGIN: '*', ADMIN_PORT: '' }), [])
})

t.test('NODE_TLS_REJECT_UNAUTHORIZED=0', async t => {
  const warning = 'NODE_TLS_REJECT_UNAUTHORIZED is 0: anybody on the way can imitate your backend and Redis; set NODE_EXTRA_CA_CERTS instead'
  t.strictSame(variableWarnings({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), [warning])
  t.strictSame(variableWarnings({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }), [])
})

const nodeEnv = 'NODE_ENV looks like production, and is not: only exactly production refuses the development token'

for (const NODE_ENV of [
  'prod', 'Production', ' production', 'production ', 'PROD', 'prd', 'live', '"production"', 'producton', 'porduction', 'PORDUCTION', ' prod', '"prod"',
  'prod-eu', 'production\n'
]) {
  t.test(`NODE_ENV=${JSON.stringify(NODE_ENV)}`, async t => t.strictSame(variableWarnings({ NODE_ENV }), [nodeEnv]))
}

t.test('other values of NODE_ENV', async t => {
  for (const NODE_ENV of ['production', '', 'development', 'test', 'staging', 'pre-production', 'local', 'ci', undefined]) {
    t.strictSame(variableWarnings({ NODE_ENV }), [], String(NODE_ENV))
  }
})
