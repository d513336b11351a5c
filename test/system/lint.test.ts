import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ESLint } from 'eslint'
import t from 'tap'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const eslint = new ESLint({ cwd: root })

/** Returns how often a file with this code breaks one of the rules. */
async function breaches (filePath: string, code: string, ...rules: string[]): Promise<number> {
  const [result] = await eslint.lintText(code, { filePath })
  return result!.messages.filter(({ ruleId }) => rules.includes(String(ruleId))).length
}

t.test('secrets are compared in constant time', async t => {
  for (const [filePath, code, count] of [
    ['src/guard/policy.ts', 'if (timingSafeEqual(given, digest)) found = caller', 0],
    ['src/guard/policy.ts', 'if (given.equals(digest)) found = caller', 1],
    ['src/guard/policy.ts', 'if (Buffer.compare(given, digest) === 0) found = caller', 1],
    ['src/guard/policy.ts', 'if (String(given) === digest.toString()) found = caller', 1],
    ['src/guard/policy.ts', 'if (apiKeySha256 !== hash256(key)) continue', 1],
    ['src/guard/policy.ts', 'return known.get(hash256(key))', 1],
    ['src/guard/policy.ts', 'return byKey[apiKey as string]', 1],
    ['src/guard/policy.ts', 'return this.#digests.includes(text)', 1],
    ['src/guard/policy.ts', 'if (apiKeySha256 === undefined || apiKeySha256 === digestOfNothing) return', 0],
    ['src/scheme/verify.ts', 'return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes)', 0],
    ['src/scheme/verify.ts', 'return text === expected', 1],
    ['src/scheme/verify.ts', 'return signature! == first', 1],
    ['src/scheme/verify.ts', 'if (typeof signature !== "string" || token === "") throw error', 0],
    ['routes/generate-signature.ts', 'return signature.startsWith(text)', 1],
    ['tools/diagnosis/search.ts', 'return digests.includes(digest)', 0]
  ] as const) {
    t.equal(await breaches(filePath, code, 'local/constant-time'), count, `${filePath}: ${code}`)
  }
})

t.test('nothing changes what Node.js and Fastify do', async t => {
  for (const [code, count] of [
    ["app.server.removeListener('request', serve)", 1],
    ["app.server.off('request', serve)", 1],
    ["app.server.prependListener('request', serve)", 1],
    ["const [serve] = server.listeners('request')", 1],
    ["app.server.on('request', serve)", 0],
    ["process.off('SIGTERM', end)", 0],
    ['socket.destroy = () => socket', 1],
    ['request.push = chunk => push(chunk)', 1],
    ['app.server.closeIdleConnections = () => {}', 1],
    ['server.keepAliveTimeout = 1000', 0],
    ['socket.destroy()', 0]
  ] as const) {
    t.equal(await breaches('plugins/http/connections.ts', code, 'no-restricted-syntax'), count, code)
  }
  for (const file of ['src/admin.ts', 'routes/probes.ts']) {
    t.equal(await breaches(file, 'socket.destroy = () => socket', 'no-restricted-syntax'), 1, file)
  }
})

t.test('a hook waits only with continuation and continueAfter', async t => {
  for (const [code, count] of [
    ["app.addHook('preHandler', (request, reply, done) => { done(refusalOf(request)) })", 0],
    ["app.addHook('preHandler', (request, reply, done) => continueAfter(ask(request), reply, done))", 0],
    ["app.addHook('preHandler', (request, reply, done) => { setImmediate(continuation(reply, done)) })", 0],
    ["app.addHook('preHandler', (request, reply, done) => { setImmediate(done) })", 1],
    ["app.addHook('preHandler', (request, _reply, done) => { ask(request).then(() => done(), done) })", 2],
    ["app.addHook('onSend', (request, reply, payload, done) => { waiting.push({ serve: done }) })", 1],
    ['const hook = (request, reply, done) => { setImmediate(() => { done() }) }', 1],
    ["app.addHook('onSend', async (request, reply, payload) => payload)", 1],
    ["app.addHook('preParsing', async function (request) {})", 1],
    ["app.addHook('onClose', async () => redis.close())", 0],
    ["app.addHook('preClose', async () => app.drain())", 0]
  ] as const) {
    t.equal(await breaches('plugins/signing/audit.ts', code, 'no-restricted-syntax'), count, code)
  }
})

t.test('imports go one way, and none goes from production to tools', async t => {
  for (const [filePath, path] of [
    ['src/scheme/verify.ts', '../guard/policy.js'],
    ['src/scheme/verify.ts', '../../tools/conformance/report.js'],
    ['src/listening/listen.ts', '../command-line/command.js'],
    ['src/listening/listen.ts', '../../plugins/env.js'],
    ['src/command-line/healthcheck-command.ts', '../../tools/command-line/commands.js'],
    ['src/app.ts', '../tools/diagnosis/diagnose.js'],
    ['src/index.ts', '../tools/diagnosis/diagnose.js'],
    ['src/http/messages.ts', '../telemetry/stdout.js'],
    ['plugins/env.ts', '../tools/request-text/curl.js'],
    ['plugins/http/not-found.ts', '../signing/audit.js'],
    ['plugins/signing/audit.ts', '../../src/command-line/command.js'],
    ['plugins/signing/audit.ts', '../../tools/new-tool/index.js'],
    ['routes/probes.ts', '../src/token/redaction.js'],
    ['routes/probes.ts', '../tools/diagnosis/diagnose.js'],
    ['tools/diagnosis/transforms/token.ts', '../../conformance/report.js'],
    ['tools/request-text/curl.ts', '../command-line/prompt.js'],
    ['tools/command-line/sign-command.ts', '../../src/app.js'],
    ['tools/command-line/sign-command.ts', '../../plugins/env.js']
  ] as const) {
    for (const code of [`export {} from '${path}'`, `await import('${path}')`]) {
      t.equal(await breaches(filePath, code, 'no-restricted-imports', 'no-restricted-syntax'), 1, `${filePath}: ${code}`)
    }
  }
  const start = "await import('../server.js')"
  t.equal(await breaches('src/command-line/serve-command.ts', start, 'no-restricted-syntax'), 0, 'serve loads the service')
})

t.test('a unit test starts no other program', async t => {
  for (const [code, count] of [
    ["import { spawn } from 'node:child_process'", 1],
    ["import { start } from './support/server.js'", 1],
    ["import { root } from './support/server.js'", 0]
  ] as const) {
    t.equal(await breaches('test/vectors.test.ts', code, 'no-restricted-imports'), count, code)
  }
})

t.test('no circle of imports, types included', async t => {
  const files = ['src', 'plugins', 'routes', 'tools'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
  const isChecked = (file: string) => file.endsWith('.ts')
  const imports = new Map(files.filter(isChecked).map(file => {
    const paths = readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)
    return [file, [...paths].map(([, path = '']) => join(dirname(file), `${path}.ts`))]
  }))
  for (let size = 0; size !== imports.size;) { // removes files without imports of other files until no file is left
    size = imports.size
    for (const [file, paths] of imports) if (!paths.some(path => imports.has(path))) imports.delete(file)
  }
  t.strictSame([...imports.keys()], [])
})

t.test('a missing program is a reason to skip, and an error if REQUIRE_PROGRAMS is 1', async t => {
  t.intercept(process, 'env', { value: { REQUIRE_PROGRAMS: '0' } })
  t.equal(lacking('sh', 'no-such-program', '/no/such/file'), 'not installed: no-such-program, /no/such/file')
  t.equal(lacking('sh'), false)
  process.env.REQUIRE_PROGRAMS = '1'
  t.throws(() => lacking('sh', 'no-such-program'), { message: 'not installed: no-such-program; REQUIRE_PROGRAMS is 1' })
  t.equal(lacking('sh'), false)
})
