import { join } from 'node:path'
import { build } from 'esbuild'

// What `npm start` runs: the service and its dependencies, as they are installed, in one file; to find and open some
// six hundred takes longer than all the rest of the start. It is not part of the package, where updates of dependencies
// would not reach it.

const dist = join(import.meta.dirname, '../dist')

await build({
  entryPoints: [join(dist, 'src/server.js')],
  outfile: join(dist, 'server.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'warning',
  // Loaded only where the configuration asks for them.
  external: ['@fastify/rate-limit', '@fastify/swagger', '@fastify/swagger-ui', 'ioredis', 'prom-client'],
  // What CommonJS modules load of Node's own.
  banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)" }
})
