import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { root, server } from '../../support/server.js'

const module = pathToFileURL(join(root, 'dist/src/telemetry/stdout.js'))

t.test('writing to a full pipe waits and loses nothing', async t => {
  // More than a pipe holds, in multi-byte characters. After an access to process.stdout, the pipe is
  // non-blocking.
  const code = `process.stdout; const { stdout } = await import('${module}')
    stdout.write('é'.repeat(400_000) + '\\n')
    stdout.write('the next line\\n')`
  const program = server(t, {}, { nodeOptions: ['--input-type=module', '--eval', code] })
  t.equal(await program.ended, 0)
  t.ok(program.output() === `${'é'.repeat(400_000)}\nthe next line\n`, `${program.output().length} characters`)
})
