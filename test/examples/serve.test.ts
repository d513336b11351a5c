import t from 'tap'
import { portsFrom } from '../../examples/ports.js'
import { body, signature } from '../support/example.js'
import { root, server, start } from '../support/server.js'

t.test('pages and both services, until Ctrl-C', async t => {
  const example = server(t, {}, { cwd: root, script: 'dist/examples/serve.js' })
  await example.says(/Ctrl-C ends them all\.\n/)
  const [checkout, inspector, reference, A, B] =
    example.output().match(/http:\S+/g) as [string, string, string, string, string]
  for (const page of [checkout, inspector, reference]) t.equal((await fetch(page)).status, 200, page)
  t.same(await (await fetch(new URL('/services.json', checkout))).json(), { A, B })
  const answers = await Promise.all([A, B].map(async url => {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.json()
  }))
  t.same(answers, [{ signature }, { error: 'sid must be a valid GUID (UUID v4)' }])
  example.process.kill('SIGINT')
  t.equal(await example.ended, 0)
})

t.test('all of it ends with npm, when npm gets the signal', async t => {
  // What preexample builds is there already: built again, other tests could find half of it.
  const variables = [`PATH=${process.env.PATH}`, `HOME=${t.testdir()}`, 'PORT=0']
  const npm = ['npm', 'run', 'example', '--silent', '--ignore-scripts', '--update-notifier=false']
  const example = start(t, 'env', ['-i', ...variables, ...npm], { cwd: root, env: {} })
  await example.says(/Ctrl-C ends them all\.\n/)
  const urls = example.output().match(/http:\S+/g) as string[]
  for (const url of urls) await (await fetch(url)).text() // each leaves a connection open
  example.process.kill('SIGTERM')
  await example.ended // and with it whoever else holds its standard output
  for (const url of urls) await t.rejects(fetch(url), { cause: { code: 'ECONNREFUSED' } }, url)
})

t.test('its ports are PORT and the next two', async t => {
  t.strictSame(portsFrom(), [8080, 8081, 8082])
  t.strictSame(portsFrom('9000'), [9000, 9001, 9002])
  t.strictSame(portsFrom('0'), [0, 0, 0])
})
