import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { verify } from '../../src/index.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { substitute } from '../support/documentation.js'
import { production } from '../support/example.js'
import { blockOf } from './block.js'
import type { ForeignPart, Project } from './project.js'

/** A stand-in for the payment library's request builder. */
const builder = `globalThis.calls = {}
globalThis.builder = new Proxy({}, { get: (_target, name) => value => { calls[name] = value } })
`

/** Writes a page that runs the block of docs/browser.md and imports vectors. */
function writePage (project: Project, service: string): void {
  const block = substitute(blockOf('docs/browser.md', 'applyTo(builder)'), {
    'payment-signature-client': 'payment-signature-backend/client',
    'https://pay.shop.example': service
  })
  project.write('builder.js', builder)
  project.write('page.js', `import './builder.js'
    import variantA from 'payment-signature-backend/vectors/variant-a.json'
    ${block}
    document.title = JSON.stringify([calls, variantA.vectors.length])`)
  project.write('index.html', '<!doctype html><title></title><link rel="icon" href="data:,"><script type="module" src="./page.js"></script>')
}

/** Opens the built page in Chromium and verifies the signature that the builder received. */
async function checkPage (project: Project, open: (page: Page) => Promise<unknown>): Promise<void> {
  const { page, complaints } = await openTab(project.scope, await launch(project.scope))
  await open(page)
  await page.waitForFunction('document.title').catch(cause => { throw new Error(complaints.join('\n'), { cause }) })
  const [calls, count] = JSON.parse(await page.title())
  const { setSignature, setAmount, setOrderId, setSid, setClientTimeStamp } = calls
  deepStrictEqual([setAmount, setOrderId], ['100.00', 'ORDER-12345'])
  const request = {
    operationType: 'purchase',
    merchantAccountNumber: '102551',
    amount: setAmount,
    orderId: setOrderId,
    sid: setSid,
    clientTimeStamp: setClientTimeStamp
  }
  const valid = verify(setSignature, request, { variant: 'A', merchantToken: production.token })
  deepStrictEqual([valid, complaints], [true, []])
  const { vectors } = JSON.parse(readFileSync('vectors/variant-a.json', 'utf8'))
  deepStrictEqual(count, vectors.length)
}

const skip = withoutBrowser

/** Pages with the browser client, built by a bundler. */
export const bundlers: Readonly<Record<string, ForeignPart>> = {
  vite: {
    packages: ['vite'],
    skip,
    async run (project) {
      writePage(project, await project.serve('node_modules/.bin/payment-signature', 'serve'))
      project.write('vite.config.js', "export default { build: { target: 'es2022' } }")
      await project.run('node_modules/.bin/vite', 'build')
      const url = await project.serve('sh', '-c', 'exec node_modules/.bin/vite preview --host 127.0.0.1 --port $PORT --strictPort')
      await checkPage(project, page => page.goto(url))
    }
  },
  webpack: {
    packages: ['webpack', 'webpack-cli'],
    skip,
    async run (project) {
      writePage(project, await project.serve('node_modules/.bin/payment-signature', 'serve'))
      await project.run('node_modules/.bin/webpack', '--mode', 'production', '--entry', './page.js', '--performance-hints', 'false')
      await checkPage(project, page => page.addScriptTag({ path: project.path('dist/main.js') }))
    }
  }
}
