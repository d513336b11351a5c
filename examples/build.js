import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

// Builds the example pages into dist/pages. dist/pages/checkout is a folder that works alone.

process.chdir(join(import.meta.dirname, '..'))

await build({
  entryPoints: ['examples/checkout/checkout.js'],
  outdir: 'dist/pages/checkout',
  bundle: true,
  ignoreAnnotations: true, // the modules of the package have no side effects; copy.js has
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  alias: { 'node:crypto': './examples/checkout/no-hash.js', 'payment-signature-client': './client/index.ts' },
  logLevel: 'warning'
})

function write (path, text) {
  mkdirSync(dirname(join('dist/pages', path)), { recursive: true })
  writeFileSync(join('dist/pages', path), text)
}

const client = readFileSync('dist/client/payment-signature.global.js', 'utf8').trim()
write('minimal.html', readFileSync('examples/minimal.html', 'utf8')
  .replace('<script src="payment-signature.global.js"></script>', () => `<script>\n${client}\n</script>`))
cpSync('examples/checkout/index.html', 'dist/pages/checkout/index.html')
cpSync('examples/pages.css', 'dist/pages/checkout/pages.css')
