import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'
import constantTime from './eslint.constant-time.js'
import docstrings from './eslint.docstrings.js'

/** Our folders, and what each may import of them. The files that compose are free, but for the tools. */
const mayImport = {
  'src/scheme': [],
  'src/guard': ['src/scheme'],
  'src/token': ['src/scheme'],
  'src/service': ['src/scheme', 'src/guard', 'src/token'],
  'src/command-line': ['src/scheme', 'src/guard', 'src/token', 'src/service'],
  plugins: ['src/scheme', 'src/guard', 'src/token', 'src/service', 'plugins/http', 'plugins/signing'],
  'plugins/http': ['src/scheme', 'src/guard', 'src/token', 'src/service'],
  'plugins/signing': ['src/scheme', 'src/guard', 'src/token', 'src/service', 'plugins/http'],
  routes: ['src/scheme', 'src/service'],
  'tools/explain': ['src/scheme'],
  'tools/diagnosis': ['src/scheme', 'src/token', 'tools/explain'],
  'tools/conformance': ['src/scheme', 'src/token'],
  'tools/request-text': ['src/scheme', 'src/command-line'],
  'tools/command-line': [
    'src/scheme', 'src/guard', 'src/token', 'src/service', 'src/command-line',
    'tools/explain', 'tools/diagnosis', 'tools/conformance', 'tools/request-text'
  ]
}

/** The files that compose, and what belongs to none of the folders above. */
const composing = ['app', 'admin', 'check', 'fastify', 'fetch', 'server', 'index'].map(name => `(?:src/)?${name}\\.js$`)
const outside = ['client/', 'examples/', 'scripts/', 'test/', 'env\\.js$', 'signer\\.js$', 'audit-trail\\.js$', 'exposure-warnings\\.js$']

/** The beginning of a path to a layer, after `../`: a folder beside it leaves out the first part. */
function beginningOf (layer, folder) {
  const [top, name] = layer.split('/')
  if (name === undefined) return `${top}/`
  return folder.startsWith(top) ? `(?:${top}/)?${name}/` : `${top}/${name}/`
}

/** Forbids imports of some paths, static ones and dynamic ones. */
function forbidding (paths, dynamicPaths, message, ...patterns) {
  const [regex, dynamic] = [paths, dynamicPaths].map(all => `^(?:\\.\\./)+(?:${all.join('|')})`)
  return {
    'no-restricted-imports': ['error', { patterns: [{ regex, message }, ...patterns] }],
    'no-restricted-syntax': ['error', { selector: `ImportExpression > Literal[value=/${dynamic.replaceAll('/', '\\/')}/]`, message }]
  }
}

const direction = Object.entries(mayImport).flatMap(([folder, allowed]) => {
  const layers = Object.keys(mayImport).filter(layer => layer !== folder && !allowed.includes(layer))
    .map(layer => beginningOf(layer, folder))
  const others = [...layers, ...outside, ...folder.startsWith('tools/') ? [] : ['tools/']]
  const all = [...others, ...composing]
  const message = allowed.length === 0
    ? `${folder} uses nothing else of ours`
    : `${folder} uses ${allowed.join(', ')} and nothing else of ours`
  const hash = { regex: '^(?!\\.|node:crypto$)', message: 'the scheme needs a hash function and nothing else' }
  const rules = loadsService =>
    forbidding(all, loadsService ? others : all, message, ...folder === 'src/scheme' ? [hash] : [])
  return [
    { files: [`${folder}/**/*.ts`], rules: rules(folder === 'src/command-line') }, // it runs the service
    ...folder === 'tools/command-line' ? [{ files: [`${folder}/example-command.ts`], rules: rules(true) }] : []
  ]
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
  { files: ['examples/frameworks/*'], languageOptions: { globals: { Bun: 'readonly', Deno: 'readonly' } } },
  { files: ['{src,plugins,routes}/**/*.ts'], rules: { 'no-duplicate-imports': 'error' } },
  ...direction,
  {
    files: ['src/*.ts'],
    ignores: ['src/index.ts'], // the library has diagnose
    rules: forbidding(['tools/'], ['tools/'], 'nothing that runs in production uses tools')
  },
  { // npm run test:unit
    files: ['test/vectors.test.ts', 'test/src/scheme/*.ts', 'test/src/guard/*.ts', 'test/routes/generate-signature.test.ts'],
    rules: {
      'no-restricted-imports': ['error', {
        paths: [{ name: 'node:child_process', message: 'a unit test starts no other program' }],
        patterns: [{ group: ['**/support/server.js'], allowImportNames: ['root'], message: 'a unit test starts no service' }]
      }]
    }
  },
  { // where what clients send is compared with what they must not learn
    files: ['src/scheme/**/*.ts', 'src/guard/**/*.ts', 'src/fastify.ts', 'plugins/**/*.ts', 'routes/**/*.ts'],
    plugins: { local: { rules: { 'constant-time': constantTime } } },
    rules: { 'local/constant-time': 'error' }
  },
  {
    files: ['{src,plugins,routes,client,tools/{command-line,conformance,request-text}}/**/*.ts'],
    plugins: { text: { rules: { docstrings } } },
    rules: { 'text/docstrings': 'error' }
  }
]
