import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { sign, signature } from '../../support/example.js'
import { listening, root, server } from '../../support/server.js'

t.test('serve runs the service in its own process', async t => {
  const module = pathToFileURL(join(root, 'dist/src/command-line/serve.js'))
  const code = `const { command } = await import('${module}'); await command.run([])`
  const service = server(t, {}, { nodeOptions: ['--input-type=module', '--eval', code], isCovered: true })
  const [, port = ''] = await service.says(listening)
  t.same(await sign(port), { signature })
  service.process.kill('SIGTERM')
  t.equal(await service.ended, 0)
})
