import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runEach } from '../../../tools/conformance/program.js'
import { callEndpoint } from '../../../tools/conformance/endpoint.js'
import { hintFor } from '../../../tools/conformance/report.js'
import { loadVectors } from '../../../tools/conformance/vectors.js'
import { serving } from '../../support/backend.js'
import { lacking } from '../../support/installed.js'
import { root } from '../../support/server.js'

for (const variant of ['A', 'B'] as const) {
  t.test(`the requests of variant ${variant} are unchanged, and each rule has a hint`, async t => {
    const path = join(root, `vectors/variant-${variant.toLowerCase()}.json`)
    const stored: Array<{ name: string, request: unknown }> = JSON.parse(readFileSync(path, 'utf8')).vectors
    const vectors = loadVectors([variant])
    t.strictSame(vectors.slice(0, stored.length).map(({ name, variant, request }) => ({ name, variant, request })),
      stored.map(({ name, request }) => ({ name, variant, request })))
    for (const { name, rule, requestText, request } of vectors) {
      t.same(JSON.parse(requestText), request, name)
      t.notMatch(requestText, /[\n\r]/, name)
      t.not(hintFor(rule), '', rule)
    }
  })
}

t.test('numbers keep their spelling', async t => {
  const texts = loadVectors(['A']).filter(({ request }) => request.amount === 100).map(({ requestText }) => requestText)
  t.ok(texts.some(text => text.includes('"amount": 100.00,')))
})

t.test('a rule without a known trap has no hint', async t => t.equal(hintFor('9.9 versions'), ''))

t.test('a program that does not end is killed', async t => {
  const program = { program: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {}, timeout: 500 }
  t.same(await runEach(program, loadVectors(['A']).slice(0, 1)), [{ problem: 'timed out after 0.5 seconds' }])
})

t.test('a service that does not respond causes a time-out', async t => {
  const url = await serving(t, () => {})
  await t.rejects(callEndpoint(url, loadVectors(['B']), 50), {
    name: 'ConformanceError', message: `${url} cannot be reached: no response in time`
  })
})

t.test('no request is sent without vectors', async t => t.same(await callEndpoint('http://127.0.0.1:1/', [], 50), []))

t.test('the stored digests match Python\'s SHA-256', { skip: lacking('python3') }, async t => {
  const { status, stdout, stderr } = spawnSync('python3', [join(root, 'vectors/digests.py'), '--check'], { encoding: 'utf8' })
  t.equal(status, 0, stdout + stderr)
})
