import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { referencePage } from './reference/page.js'

// Builds the example pages into dist/pages. dist/pages/checkout is a folder that works alone.

process.chdir(join(import.meta.dirname, '..'))
const node = 'examples/inspector/node.ts'

await build({
  entryPoints: ['examples/checkout/checkout.js', 'examples/inspector/inspector.ts', 'examples/copy.js'],
  outdir: 'dist/pages',
  outbase: 'examples',
  bundle: true,
  ignoreAnnotations: true, // the modules of the package have no side effects; copy.js has
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  loader: { '.php': 'text', '.py': 'text', '.go': 'text' },
  alias: { 'node:crypto': `./${node}` },
  inject: [node],
  logLevel: 'warning'
})

function write (path, text) {
  mkdirSync(dirname(join('dist/pages', path)), { recursive: true })
  writeFileSync(join('dist/pages', path), text)
}

const client = readFileSync('dist/client/payment-signature.global.js', 'utf8').trim()
write('minimal.html', readFileSync('examples/minimal.html', 'utf8')
  .replace('<script src="payment-signature.global.js"></script>', () => `<script>\n${client}\n</script>`))
write('reference/index.html', referencePage(JSON.parse(readFileSync('openapi.json', 'utf8'))))
for (const page of ['checkout', 'inspector']) cpSync(`examples/${page}/index.html`, `dist/pages/${page}/index.html`)
for (const folder of ['', 'checkout', 'reference']) cpSync('examples/pages.css', join('dist/pages', folder, 'pages.css'))
