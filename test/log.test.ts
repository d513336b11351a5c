import t from 'tap'
import { testApp } from './support/app.js'
import { Log } from './support/log.js'
import { start } from './support/server.js'

const found = (text: string) => /the end/.exec(text)

t.test('what is there already, and what comes later, even in pieces', async t => {
  const log = new Log()
  log.write('the end')
  t.equal((await log.waitFor('it', found))[0], 'the end')
  const later = new Log()
  const waiting = later.waitFor('it', found)
  later.write('the')
  later.write(' end')
  t.equal((await waiting)[0], 'the end')
})

t.test('a line that never comes: the wait ends, and shows what came instead', async t => {
  const log = new Log()
  log.write('something else\n')
  await t.rejects(log.waitFor('the end', found, 50), { message: 'waited 50 ms for the end in:\nsomething else\n' })
})

t.test('of a process too', async t => {
  const talker = start(t, 'sh', ['-c', 'echo something else; exec sleep 60'], { cwd: t.testdir(), env: process.env })
  await talker.says(/else/)
  await t.rejects(talker.says(/the end/, 50), { message: 'waited 50 ms for /the end/ in:\nsomething else\n' })
})

t.test('a process that ends is not waited for', async t => {
  const talker = start(t, 'sh', ['-c', 'echo something else'], { cwd: t.testdir(), env: process.env })
  const ended = { message: 'ended without saying /the end/:\nsomething else\n' }
  await t.rejects(talker.says(/the end/), ended)
  await t.rejects(talker.says(/the end/), ended)
  t.equal((await talker.says(/else/))[0], 'else')
})

t.test('of an app, a line as many times as was asked for', async t => {
  const { app, says } = testApp(t)
  await app.ready()
  const twice = says('a line', 2)
  app.log.info('a line')
  t.equal(await Promise.race([twice.then(() => 'twice'), says('a line').then(() => 'once')]), 'once')
  app.log.info('a line')
  await twice
})
