import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes dist/pages/minimal.html, which contains the client: one file for any web server.

process.chdir(join(import.meta.dirname, '..'))
const client = readFileSync('dist/client/payment-signature.global.js', 'utf8').trim()
const page = readFileSync('examples/minimal.html', 'utf8')
  .replace('<script src="payment-signature.global.js"></script>', () => `<script>\n${client}\n</script>`)
mkdirSync('dist/pages', { recursive: true })
writeFileSync('dist/pages/minimal.html', page)
