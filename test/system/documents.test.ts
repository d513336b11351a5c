import { join } from 'node:path'
import t, { type Test } from 'tap'
import { serveAdmin } from '../../src/admin.js'
import { testApp } from '../support/app.js'
import { folderOf, inShell, runCommands, runners } from '../support/block-runners.js'
import { run } from '../support/command-line.js'
import { documents, fencesOf, isAsShown, stepsOf } from '../support/documentation.js'
import { taken } from '../support/documented.js'
import { body, signature } from '../support/example.js'
import { freePort } from '../support/free-port.js'
import { portOf } from '../support/http.js'
import { lacking } from '../support/installed.js'

// Runs the code blocks of the documents: transcripts, whose commands follow a `$`, and blocks that have a runner.

process.umask(0o077) // the service warns of a token file that others may read

/** Runs a command in this process, which takes a tenth of the time. */
async function inProcess (command: string): Promise<{ output: string, code: number }> {
  const words = command.replaceAll('$SIGNATURE', signature).match(/'[^']*'|"(?:\\.|[^"])*"|\S+/g) ?? []
  const args = words.slice(1).map(word => word.replace(/^(['"])(.*)\1$/, '$2').replaceAll('\\"', '"'))
  const { stdout, stderr, code } = await run(args, { env: { PATH: process.env.PATH } })
  return { output: stderr + stdout, code }
}

/** Starts the service of the documents, which has signed one request. Returns its addresses by the documented ones. */
async function addresses (t: Test): Promise<Record<string, string>> {
  const { app } = testApp(t, { config: { CORS_ORIGIN: 'https://shop.example', ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' } })
  await app.ready()
  const [metrics = ''] = await serveAdmin(app)
  const url = `http://127.0.0.1:${await portOf(app)}`
  await app.inject({ method: 'POST', url: '/api/generate-signature', headers: { 'content-type': 'application/json' }, payload: body })
  return {
    'http://localhost:3001': url,
    'https://shop.example/payments': url,
    'http://localhost:3002': `http://127.0.0.1:${await freePort()}`,
    'http://127.0.0.1:9464/metrics': metrics
  }
}

const programs = ['curl', 'jq', 'openssl', 'php', 'promtool', 'python3', 'redis-server', 'sha256sum']

/** Returns the reason to skip a block; false if this machine has the programs that its text names. */
const lacks = (text: string): string | false => lacking(...programs.filter(program => text.includes(program)))

const renamed = (text: string, names: ReadonlyArray<readonly [from: string, to: string]>): string =>
  names.reduce((text, [from, to]) => text.replaceAll(from, to), text)

/** Runs a block in which each command follows a `$`. */
async function transcript (t: Test, text: string): Promise<void> {
  const folder = folderOf(t)
  const real = {
    '/run/secrets': folder,
    '/etc/payment-signature/policy.json': join(folder, 'production-policy.json'),
    ...(/:(?:3001|3002|9464)\b|shop\.example\/payments/.test(text) ? await addresses(t) : {})
  }
  const documented = Object.entries(real).map(([name, actual]) => [actual, name] as const)
  let last = 0
  for (const { command, output } of stepsOf(text)) {
    const actual = renamed(command, Object.entries(real))
    const ran = command === 'echo $?'
      ? { output: `${last}\n`, code: 0 }
      : await (/^payment-signature (?!serve)[^|;&]*$/.test(command) ? inProcess(actual) : inShell(folder, actual))
    last = ran.code
    const said = renamed(ran.output, documented)
    if (isAsShown(said, output)) t.pass(command)
    else t.equal(said, output, command)
  }
}

const blocks = documents.flatMap(fencesOf).filter(({ language }) => language !== 'mermaid')
const left = new Set(blocks.map(({ document, line }) => `${document}:${line}`))
for (const { document, line } of taken) left.delete(`${document}:${line}`)

for (const [document, begins, runner] of runners) {
  const own = blocks.filter(block => block.document === document && begins.test(block.text) && left.delete(`${document}:${block.line}`))
  const texts = own.map(({ text }) => text)
  t.test(`${document}:${own.map(({ line }) => line).join()} ${begins}`, { skip: lacks(texts.join('') + runner) }, async t => {
    t.ok(own.length > 0, 'the document has such a block')
    await runner(t, texts)
  })
}

for (const { document, line, text } of blocks) {
  if (!text.startsWith('$ ') || !left.delete(`${document}:${line}`)) continue
  t.test(`${document}:${line}`, { skip: lacks(text) }, t => transcript(t, text))
}

for (const { document, line, language, text } of blocks) {
  if (language !== 'sh' || !left.delete(`${document}:${line}`)) continue
  t.test(`${document}:${line}`, { skip: lacks(text) }, t => runCommands(t, text))
}

t.test('each code block is run', async t => t.strictSame([...left], []))
