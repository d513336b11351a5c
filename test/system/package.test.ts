import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { signature } from '../support/example.js'
import { root } from '../support/server.js'

// The published package as a user installs it: packed, and with its declared dependencies only.

const { PATH, HOME, NODE_EXTRA_CA_CERTS = '' } = process.env // npm needs this behind a proxy that decrypts TLS

/** Runs a JavaScript program. Uses env -i, because the test runner instruments what a test starts. */
const run = (args: string[], cwd: string) =>
  promisify(execFile)('env', ['-i', `PATH=${PATH}`, process.execPath, ...args], { cwd })

interface Manifest {
  name: string
  dependencies: Record<string, string>
  bin: Record<string, string>
  exports: Record<string, unknown>
}
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'package-')) // below the test's own folder, a project would find all dependencies of this checkout
t.teardown(() => rmSync(folder, { recursive: true }))
const bare = join(folder, 'bare') // no dependencies at all
const project = join(folder, 'project')

// Packed from a clone after npm ci, without a build.
const clone = join(folder, 'clone')
const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString().split('\0').filter(path => path !== '' && existsSync(join(root, path)))
for (const path of tracked) cpSync(join(root, path), join(clone, path))
symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
/** Packs a package of the clone. Returns the name of the tarball. */
const pack = (...workspace: string[]): string => JSON.parse(execFileSync(
  'npm', ['pack', ...workspace, '--json', '--pack-destination', folder],
  { cwd: clone, encoding: 'utf8', env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'ignore'] }
))[0].filename
const packClient = ['--workspace', 'client']
const [filename, clientFilename] = [pack(), pack(...packClient)]
const [tarball, clientTarball] = [join(folder, filename), join(folder, clientFilename)]

/** Unpacks a tarball as npm does. Returns the folder of the package. */
function unpack (tarball: string, place: string, name: string): string {
  const home = join(place, 'node_modules', name)
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  return home
}
unpack(tarball, bare, manifest.name)
const installed = unpack(tarball, project, manifest.name)
const installedClient = unpack(clientTarball, bare, 'payment-signature-client')

for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
  const link = join(project, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), link)
}

/** Returns the output of a program. Rejects if the program fails or writes to standard error. */
async function printed (t: Test, cwd: string, type: 'module' | 'commonjs', program: string): Promise<string> {
  const { stdout, stderr } = await run([`--input-type=${type}`, '-e', program], cwd)
  t.equal(stderr, '')
  return stdout.trim()
}

/** Returns the output of a JavaScript tool for the project, on both streams. */
async function outputOf (tool: string, args: string[]): Promise<string> {
  const { stdout } = await run([tool, ...args], project).catch((error: { stdout: string }) => error)
  return stdout
}

const request = '{ operationType: "purchase", amount: "100.00", merchantAccountNumber: "102551", orderId: "ORDER-12345", ' +
  'sid: "client-generated-session-id", clientTimeStamp: 1709912345678 }'

t.test('the package has no source maps, and no links to files that it does not contain', async t => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  t.strictSame(files.filter(name => name.endsWith('.map')), [])
  const links = files.filter(name => name.endsWith('.md')).flatMap(name => [...readFileSync(join(installed, name), 'utf8')
    .matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link = '']) => [name, join(dirname(name), link)] as const))
  t.ok(links.length > 100)
  t.strictSame(links.filter(([, path]) => !existsSync(join(installed, path))), [])
})

const loading = [
  ['import', 'module', (entry: string) => `import * as entry from "${manifest.name}${entry}"\n`],
  ['require', 'commonjs', (entry: string) => `const entry = require("${manifest.name}${entry}")\n`]
] as const

for (const [how, type, load] of loading) {
  t.test(`${how}: the library needs no dependency`, async t => {
    const program = `${load('')}const scheme = { variant: "A", merchantToken: "development-only-token" }
      const signer = new entry.VariantA(scheme.merchantToken)
      console.log(signer.sign(signer.read(${request})), entry.verify("${signature}", ${request}, scheme))`
    t.equal(await printed(t, bare, type, program), `${signature} true`)
  })

  t.test(`${how}: the app`, async t => {
    const program = `${load('/app')}const app = entry.createApp({ config: { NODE_ENV: "test" }, logger: false })
      app.inject({ method: "POST", url: "/api/generate-signature", payload: ${request} })
        .then(({ body }) => console.log(body))`
    t.equal(await printed(t, project, type, program), JSON.stringify({ signature }))
  })

  t.test(`${how}: the client has a package of its own, and needs no dependency`, async t => {
    const program = `${load('')}console.log(typeof entry.requestSignature)`
    t.equal(await printed(t, bare, type, program.replace(manifest.name, 'payment-signature-client')), 'function')
  })
}

t.test('the package has no tests, only the built example page and only the bundled client', async t => {
  t.strictSame(readdirSync(join(installed, 'dist')).sort(), ['client', 'pages', 'plugins', 'routes', 'src', 'tools'])
  t.strictSame(readdirSync(join(installed, 'dist/pages')).sort(), ['minimal.html'])
  t.strictSame(readdirSync(join(installed, 'dist/client')).filter(name => !name.endsWith('.d.ts')).sort(),
    ['index.js', 'payment-signature.global.js'])
})

t.test('the client has a main, for React Native before 0.79, whose Metro reads no exports', async t => {
  const { main } = JSON.parse(readFileSync(join(installedClient, 'package.json'), 'utf8'))
  t.equal(readFileSync(join(installedClient, main), 'utf8'), readFileSync(join(clone, 'dist/client/index.js'), 'utf8'))
})

t.test('an installation from git has types', async t => {
  rmSync(join(clone, 'dist'), { recursive: true })
  const env = { PATH, HOME, INIT_CWD: project } // as npm sets it, which runs the script in a clone of its own
  execFileSync(process.execPath, ['scripts/prepare.js'], { cwd: clone, env, stdio: 'ignore' })
  const types = (name: string) => name.endsWith('.d.ts')
  const inDist = (folder: string) => readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter(types).sort()
  t.strictSame(inDist(clone).filter(name => !name.startsWith('client/')), inDist(installed))
})

t.test('the package exports the library, the app and the vectors', async t => {
  t.strictSame(Object.keys(manifest.exports), ['.', './app', './vectors/*.json', './package.json'])
  for (const name of readdirSync(join(root, 'vectors')).filter(name => name.endsWith('.json'))) {
    const read = `console.log(typeof require("${manifest.name}/vectors/${name}"))`
    t.equal(await printed(t, bare, 'commonjs', read), 'object')
  }
})

t.test('no script prepares an installation', async t => {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  t.strictSame([scripts, devDependencies], [undefined, undefined])
  t.equal(readFileSync(join(clone, 'package.json'), 'utf8'), readFileSync(join(root, 'package.json'), 'utf8'), 'restored')
})

t.test('its commands run', async t => {
  for (const path of Object.values(manifest.bin)) {
    const { stdout } = await run([join(installed, path), '--help'], project)
    t.match(stdout, 'Usage: ')
  }
})

const consumer = `
import Fastify from 'fastify'
import { InvalidRequestError, VariantA, VariantB, verify } from '${manifest.name}'
import type { ErrorCode, PaymentRequest, SignatureRequest, Variant } from '${manifest.name}'
import { ConfigurationError, createApp, createHandler, UsageError, type AppOptions } from '${manifest.name}/app'

declare module 'fastify' {
  interface FastifyInstance { config: { mine: true }, signer: 'also mine', metrics: number }
  interface FastifyRequest { caller: { id: number }, refusal: 7 }
}

const request: SignatureRequest = { sid: 'sid', clientTimeStamp: 1, amount: '1.00', accountNumber: '1' }
const variant: Variant = 'B'
const signer = new VariantB('token')
const reader = new VariantA('token')
export const signature: string = reader.sign(reader.read(request))
export const valid: boolean = verify(signature, request, { variant: 'A', merchantToken: 'token' })
const options: AppOptions = { config: { VARIANT: variant, STRICT: undefined }, tokenOf: async () => 'token', logger: false }
export const app = createApp(options)
export const service = createApp({ config: { MERCHANT_TOKEN: 'secret' }, authorize: () => true, logger: false })
export const others = createApp({ authorize: ({ headers }) => headers.cookie === '' || { allowed: false, error: '' } })
export const own: string = signer.sign(signer.read(request))
createApp<{ user: string }>({
  tokenOf: (accountNumber, { user }) => accountNumber + user,
  authorize: ({ context, request }) => ({ allowed: context.user === request.orderId?.trim(), auditAs: context.user }),
  audit: ({ audit }) => audit.outcome === 'signed' && audit.amount?.trim()
})
export const handler = createHandler({
  config: { MERCHANT_TOKEN: process.env.MERCHANT_TOKEN },
  clientAddress: (_request, info: { address: string }) => info.address,
  authorize: ({ context }) => context.address === 'me' || { allowed: false, statusCode: 403 }
})
export const response: Promise<Response> = handler(new Request('http://localhost/'), { address: '192.0.2.1' })
// @ts-expect-error there is no such operation
export const mistyped: PaymentRequest = { operationType: 'refnud', sid: 's', clientTimeStamp: 1 }
// @ts-expect-error STRICT is a text
createApp({ config: { STRICT: true } })
export const mine = Fastify().config.mine satisfies true
export function codeOf (error: unknown): ErrorCode | 'ERR_CONFIGURATION' | 'ERR_OPTIONS' | 'ERR_POLICY' | 'ERR_TOKEN' | undefined {
  return error instanceof ConfigurationError || error instanceof InvalidRequestError || error instanceof UsageError ? error.code : undefined
}
`

for (const [resolution, module] of [['node16', 'node16'], ['nodenext', 'nodenext'], ['bundler', 'esnext']] as const) {
  t.test(`types resolve with ${resolution}, those of the dependencies included`, async t => {
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    writeFileSync(join(project, 'consumer.ts'), consumer)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const output = await outputOf(tsc, [
      '--module', module, '--moduleResolution', resolution, '--target', 'es2022', '--strict', '--exactOptionalPropertyTypes',
      '--noEmit', '--types', 'node', 'consumer.ts'
    ])
    t.equal(output, '')
  })
}

for (const [home, packed] of [[installed, tarball], [installedClient, clientTarball]] as const) {
  t.test(`publint finds nothing in ${basename(home)}`, async t => {
    const { publint } = await import('publint')
    t.same((await publint({ pkgDir: home, pack: false, strict: true })).messages, [])
  })

  t.test(`the types of ${basename(home)} resolve`, async t => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    // The ignored rules are for resolutions without require() of ESM, which every supported version of Node.js has.
    // A classic script has no types.
    const script = 'payment-signature.global.js'
    await t.resolves(run([attw, packed, '--profile', 'esm-only', '--exclude-entrypoints', script], project))
  })
}

t.test('the package of the client has only the bundles, their types and the license of the service', async t => {
  const paths = readdirSync(installedClient, { recursive: true, encoding: 'utf8' }).filter(path => !path.endsWith('.d.ts'))
  t.strictSame(paths.sort(),
    ['LICENSE', 'README.md', 'dist', 'dist/index.js', 'dist/payment-signature.global.js', 'package.json'])
  t.equal(readFileSync(join(installedClient, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))
  t.strictSame(JSON.parse(readFileSync(join(installedClient, 'package.json'), 'utf8')).dependencies, undefined)
})

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, {
    integrity?: string, resolved?: string, link?: boolean, inBundle?: boolean, dev?: boolean, hasInstallScript?: boolean
  }>
}
const fromRegistry = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

t.test('what runs is 72 packages at most, none with a script of its own', async t => {
  const running = fromRegistry.filter(([, { dev }]) => !dev)
  t.ok(running.length > 50 && running.length <= 72, String(running.length))
  t.strictSame(running.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path), [])
})

const offline = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=5000'], {
  env: { PATH, HOME, NODE_EXTRA_CA_CERTS }
}).status !== 0 &&
  'npm reaches no registry'

t.test('an app on Fastify 5.0.0 passes requests to the handler, which has a Fastify of its own', { skip: offline }, async t => {
  const place = join(folder, 'oldest')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
  await promisify(execFile)('env', ['-i', `PATH=${dirname(process.execPath)}:${PATH}`, `HOME=${HOME}`,
    `NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS}`, 'npm', 'install', '--no-audit', 'fastify@5.0.0', tarball], { cwd: place })
  cpSync(join(root, 'examples/frameworks/fastify-route.mjs'), join(place, 'fastify-route.mjs'))
  const program = `import Fastify from 'fastify'
    import { signingRoute } from './fastify-route.mjs'
    import { createHandler } from '${manifest.name}/app'
    const handler = createHandler({ config: { NODE_ENV: 'test' }, clientAddress: (_request, { ip }) => ip, logger: false })
    const app = Fastify()
    app.register(signingRoute, { handler, path: '/payments' })
    const { body } = await app.inject({ method: 'POST', url: '/payments', payload: ${request} })
    console.log(app.version, body)`
  t.equal(await printed(t, place, 'module', program), `5.0.0 ${JSON.stringify({ signature })}`)
})

t.test('the lockfile pins what is installed, by its integrity, and names no registry', async t => {
  t.strictSame(fromRegistry.filter(([, { integrity, inBundle }]) => !integrity && !inBundle).map(([path]) => path), [])
  t.strictSame(fromRegistry.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path), [])
  t.strictSame(Object.keys(packages).filter(path => !fromRegistry.some(([other]) => other === path)),
    ['', 'client', 'node_modules/payment-signature-client'])
})
