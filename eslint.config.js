import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'
import constantTime from './.ci/eslint/constant-time.js'
import docstrings from './.ci/eslint/docstrings.js'

/** The layers of the service. Each may import those before it, and nothing after it. */
const layers = [
  'src/scheme', 'src/text', 'src/http', 'src/settings', 'src/merchants', 'src/guards', 'routes', 'plugins'
]

/** The roots compose layers and are imported by programs only. `tools/command-line` runs the service. */
const roots = ['app', 'check', 'embed', 'handler', 'index', 'service']

/** Files between layers and roots, which routes and plugins may import too. */
const shared = ['log', 'options']

/** Folders of our code beside the layers, and what each may import. */
const mayImport = {
  ...Object.fromEntries(layers.map((layer, index) => [layer, layers.slice(0, index)])),
  'src/scheme': [],
  'src/text': [],
  'tools/explain': ['src/scheme', 'src/text', 'src/guards'],
  'tools/diagnosis': ['src/scheme', 'src/text', 'src/merchants', 'tools/explain'],
  'tools/request-text': ['src/scheme', 'src/text', 'tools/explain'],
  'tools/command-line': [
    ...layers.slice(0, layers.indexOf('routes')),
    'tools/explain', 'tools/diagnosis', 'tools/request-text'
  ]
}

const filesOf = names => names.map(name => `(?:src/)?${name}\\.js$`)
const outside = ['client/', 'examples/', 'scripts/', 'test/']

/** The beginning of a path to a layer, after `../`: a folder beside it leaves out the first part. */
function beginningOf (layer, folder) {
  const [top, name] = layer.split('/')
  if (name === undefined) return `${top}/`
  return folder.startsWith(top) ? `(?:${top}/)?${name}/` : `${top}/${name}/`
}

/**
 * Forbids to change what Fastify and Node.js do: limits are hooks and own listeners. Forbids to give the router a text
 * of a client.
 */
const changingNode = [
  {
    selector: "CallExpression[callee.object.name!='process'] > MemberExpression.callee[property.name=/^(?:off|removeListener|removeAllListeners|listeners|rawListeners)$/]",
    message: 'leave the listeners of a server, request, response or socket as they are'
  },
  {
    selector: 'AssignmentExpression > MemberExpression.left[property.name=/^(?:_read|_write|close|closeAllConnections|closeIdleConnections|destroy|emit|end|listen|on|once|pause|pipe|push|read|resume|setHeader|write|writeHead)$/]',
    message: 'replace no method of a server, request, response or socket'
  },
  {
    selector: 'CallExpression > MemberExpression.callee[property.name=/^(?:findRoute|hasRoute)$/]',
    message: 'a router reads a URL as a pattern: the text of a client can make it throw'
  }
]

/** Forbids imports of some paths, static ones and dynamic ones, and other syntax. */
function forbidding (paths, dynamicPaths, message, others, ...patterns) {
  const [regex, dynamic] = [paths, dynamicPaths].map(all => `^(?:\\.\\./)+(?:${all.join('|')})`)
  return {
    'no-restricted-imports': ['error', { patterns: [{ regex, message }, ...patterns] }],
    'no-restricted-syntax': ['error', { selector: `ImportExpression > Literal[value=/${dynamic.replaceAll('/', '\\/')}/]`, message }, ...others]
  }
}

const direction = Object.entries(mayImport).flatMap(([folder, allowed]) => {
  const forbidden = Object.keys(mayImport).filter(layer => layer !== folder && !allowed.includes(layer))
    .map(layer => beginningOf(layer, folder))
  const others = [...forbidden, ...outside, ...folder.startsWith('tools/') ? [] : ['tools/']]
  const all = [...others, ...filesOf(/^(?:routes|plugins)$/.test(folder) ? roots : [...roots, ...shared])]
  const message = allowed.length === 0
    ? `${folder} uses nothing else of ours`
    : `${folder} uses ${allowed.join(', ')} and nothing else of ours`
  const hash = { regex: '^(?!\\.|node:crypto$)', message: 'the scheme needs a hash function and nothing else' }
  const rules = loadsService =>
    forbidding(all, loadsService ? others : all, message, folder.startsWith('tools/') ? [] : changingNode,
      ...folder === 'src/scheme' ? [hash] : [])
  return [{ files: [`${folder}/**/*.ts`], rules: rules(folder === 'tools/command-line') }] // it runs the service
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
  { files: ['{src,plugins,routes}/**/*.ts'], rules: { 'no-duplicate-imports': 'error', 'no-shadow': 'error' } },
  ...direction,
  {
    files: ['src/*.ts'],
    rules: forbidding(['tools/'], ['tools/'], 'nothing that runs in production uses tools', changingNode)
  },
  { // tests that need nothing but their own process
    files: ['test/vectors.test.ts', 'test/src/scheme/*.ts', 'test/src/guards/{strict,policy}/{strict,policy,policy-schema}.test.ts', 'test/routes/generate-signature.test.ts'],
    rules: {
      'no-restricted-imports': ['error', {
        paths: [{ name: 'node:child_process', message: 'a unit test starts no other program' }],
        patterns: [{ group: ['**/support/server.js'], allowImportNames: ['root'], message: 'a unit test starts no service' }]
      }]
    }
  },
  { // where what clients send is compared with what they must not learn
    files: ['src/scheme/**/*.ts', 'src/guards/**/*.ts', 'src/merchants/**/*.ts', 'plugins/**/*.ts', 'routes/**/*.ts'],
    plugins: { local: { rules: { 'constant-time': constantTime } } },
    rules: { 'local/constant-time': 'error' }
  },
  {
    files: ['{src,plugins,routes,client,tools/{command-line,request-text}}/**/*.ts'],
    plugins: { text: { rules: { docstrings } } },
    rules: { 'text/docstrings': 'error' }
  }
]
