import { blockOf } from './block.js'
import type { ForeignPart } from './project.js'

/** The test of vectors/README.md, with the package loaded by Node.js, and transformed by Vite. */
export const vitest: ForeignPart = {
  packages: ['vitest', 'fastify'],
  async run (project) {
    project.write('integration.test.js', `import { test } from 'vitest'
      ${blockOf('vectors/README.md', 'variantA.vectors')}
      test('the block has run', () => {})`)
    await project.run('node_modules/.bin/vitest', 'run')
    const inline = "{ test: { server: { deps: { inline: ['payment-signature-backend'] } } } }"
    project.write('vitest.config.js', `export default ${inline}`)
    await project.run('node_modules/.bin/vitest', 'run')
  }
}
