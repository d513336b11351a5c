import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'
import constantTime from './eslint.constant-time.js'

/** Which way imports go: what each folder may use of ours. What is not named here is for the files that compose. */
const mayImport = {
  'src/scheme': [],
  'src/guard': ['scheme'],
  'src/token': ['scheme'],
  'src/service': ['scheme', 'guard', 'token'],
  'tools/diagnosis': ['scheme', 'token'],
  'tools/conformance': ['scheme', 'token'],
  'src/request-text': ['scheme'],
  'src/command-line': ['scheme', 'guard', 'token', 'service', 'diagnosis', 'conformance', 'request-text'],
  plugins: ['scheme', 'guard', 'token', 'service', 'http', 'signing'],
  'plugins/http': ['scheme', 'guard', 'token', 'service'],
  'plugins/signing': ['scheme', 'guard', 'token', 'service', 'http'],
  routes: ['scheme', 'service']
}

const layers = Object.keys(mayImport).map(folder => folder.split('/').at(-1))

/** The files that compose, and what belongs to none of the folders above. */
const composing = ['app', 'admin', 'check', 'fastify', 'server', 'index'].map(name => `(?:src/)?${name}\\.js$`)
const outside = ['client/', 'examples/', 'scripts/', 'test/', 'env\\.js$', 'merchant-token\\.js$', 'exposure-warnings\\.js$']

const direction = Object.entries(mayImport).map(([folder, allowed]) => {
  const own = folder.split('/').at(-1)
  const others = layers.filter(layer => layer !== own && !allowed.includes(layer)).map(layer => `(?:src/)?${layer}/`)
  const regex = `^(?:\\.\\./)+(?:${[...others, ...composing, ...outside].join('|')})`
  const message = allowed.length === 0
    ? `${folder} uses nothing else of ours`
    : `${folder} uses ${allowed.join(', ')} and nothing else of ours`
  const patterns = [{ regex, message }]
  if (folder === 'src/scheme') {
    patterns.push({ regex: '^(?!\\.|node:crypto$)', message: 'the scheme needs a hash function and nothing else' })
  }
  const dynamic = { selector: `ImportExpression > Literal[value=/${regex.replaceAll('/', '\\/')}/]`, message }
  return {
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      // The command that runs the service loads what composes it.
      'no-restricted-syntax': folder === 'src/command-line' ? 'off' : ['error', dynamic]
    }
  }
})

export default [
  ...neostandard({ ts: true, ignores: resolveIgnoresFromGitignore() }),
  {
    rules: {
      'max-len': ['error', { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
      'no-console': 'error',
      '@typescript-eslint/no-redeclare': 'off' // a schema and the type derived from it share a name; tsc finds the rest
    }
  },
  ...direction,
  { // where what clients send is compared with what they must not learn
    files: ['src/scheme/**/*.ts', 'src/guard/**/*.ts', 'src/fastify.ts', 'plugins/**/*.ts', 'routes/**/*.ts'],
    plugins: { local: { rules: { 'constant-time': constantTime } } },
    rules: { 'local/constant-time': 'error' }
  }
]
