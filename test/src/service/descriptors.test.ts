import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { descriptorLimit } from '../../../src/service/descriptors.js'
import { root } from '../../support/server.js'

t.test('the limit that the process was started with', t => {
  const module = join(root, 'dist/src/service/descriptors.js')
  const script = `import('${module}').then(({ descriptorLimit }) => {
    console.log(descriptorLimit(), process.report.excludeNetwork)
  })`
  const output = execFileSync('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', process.execPath, '-e', script], {
    encoding: 'utf8', env: {}
  })
  t.equal(output, '200 false\n')
  t.end()
})

t.test('where there is none', t => {
  t.equal(descriptorLimit({ userLimits: { open_files: { soft: 'unlimited' } } }), Infinity)
  t.equal(descriptorLimit({}), Infinity, 'as on Windows')
  t.end()
})
