import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { settingsDocuments } from '../scripts/settings-documents.js'
import * as app from '../src/embed.js'
import { errorCodes } from '../src/http/refusals.js'
import * as library from '../src/index.js'
import { irregularitiesOf } from '../src/guards/strict/irregularities.js'
import { strictRule } from '../src/guards/strict/strict.js'
import { keyCheckValue } from '../src/merchants/key-check-value.js'
import { fieldsOf } from '../src/scheme/request.js'
import { readerOf } from '../src/scheme/variants.js'
import { compare } from '../src/scheme/verify.js'
import { diagnose } from '../tools/diagnosis/diagnose.js'
import { explain } from '../tools/explain/explain.js'
import { documents } from './support/documentation.js'
import { body } from './support/example.js'
import { root } from './support/server.js'

// The code blocks of the documents are run by test/system/documents.test.ts.

for (const [path, text] of Object.entries(settingsDocuments)) {
  t.test(`npm run documents writes ${path} as it is`, async t => {
    t.equal(text, readFileSync(join(root, path), 'utf8'))
  })
}

t.test('the request of the first steps is that of the documents', async t => {
  t.strictSame(JSON.parse(readFileSync(join(root, 'examples/first/request.json'), 'utf8')), JSON.parse(body))
})

t.test('the service warns of each digest of the first policy', async t => {
  const digests = readFileSync(join(root, 'examples/first/policy.json'), 'utf8').match(/[0-9a-f]{64}/g)
  t.strictSame(digests?.map(digest => digest.slice(0, 16)), ['5e3f8e11cf4fefe4', 'f397f2d2c8d9a2a8', 'f397f2d2c8d9a2a8'])
  t.equal(new Set(digests).size, 3)
})

t.test('npx never fetches a package of that name from the registry', async t => {
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8')
    t.strictSame(text.match(/npx (?!--no -- )[^\n`]*payment-signature.*/g), null, document)
  }
})

t.test('docs/calling.md has a remedy for each error code', async t => {
  const [, errors = ''] = readFileSync(join(root, 'docs/calling.md'), 'utf8').split('\n## Errors\n')
  t.strictSame(Object.keys(errorCodes).filter(code => !errors.includes(`\`${code}\``)), [])
})

/** Codes of each error. The compiler finds one that is missing. */
const codes = {
  ConfigurationError: { ERR_CONFIGURATION: 1, ERR_OPTIONS: 1, ERR_POLICY: 1, ERR_TOKEN: 1 },
  UsageError: {
    ERR_VARIANT: 1,
    ERR_MERCHANT_TOKEN: 1,
    ERR_REQUEST: 1,
    ERR_READING: 1,
    ERR_SIGNATURE: 1,
    ERR_LIMIT: 1,
    ERR_CLIENT_ADDRESS: 1,
    ERR_BODY_READ: 1
  } satisfies Record<library.UsageErrorCode, 1>,
  InvalidRequestError: {
    ERR_AMOUNT_NOT_POSITIVE: 1,
    ERR_ACCOUNT_NUMBER_REQUIRED: 1,
    ERR_SID_REQUIRED: 1,
    ERR_CLIENT_TIMESTAMP_REQUIRED: 1
  } satisfies Record<library.InvalidRequestCode, 1>,
  SigningError: {
    ERR_SID_INVALID: 1, ERR_NOT_TEXT: 1
  } satisfies Record<library.SigningErrorCode, 1>
}

t.test('docs/embedding.md lists the errors that are exported, with their codes', async t => {
  const [, section = ''] = /\n## Errors\n([^]*?)\n## /.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8')) ?? []
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*) \|$/gm)].map(([, name, from, text = '']) =>
    [name, from, text.match(/ERR_\w+/g)])
  const entries = { 'the library': library, '`/app`': app }
  t.strictSame(rows, Object.entries(codes).map(([name, ofName]) => [
    name, Object.entries(entries).filter(([, entry]) => name in entry).map(([from]) => from).join(', '), Object.keys(ofName)
  ]))
  const exported = Object.values(entries).flatMap(entry => Object.keys(entry)).filter(name => name.endsWith('Error'))
  t.strictSame([...new Set(exported)].filter(name => !Object.hasOwn(codes, name)), [])
})

const specification = readFileSync(join(root, 'docs/specification.md'), 'utf8')

/** The text of a section of the specification, without its subsections' headings. */
const section = (number: string): string => specification.split(/^#+ /m).find(text => text.startsWith(`${number} `)) ?? ''

t.test('each section of the specification that is cited exists', async t => {
  const sections = [...specification.matchAll(/^#+ ([\d.]+?)\.? /gm)].map(([, number]) => number)
  const files = ['src', 'plugins', 'routes', 'tools', 'client', 'test', 'scripts', 'vectors'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => join(folder, String(name))))
    .filter(file => /\.(?:ts|js|py|json|md)$/.test(file))
  const cited = files.flatMap(file => [...readFileSync(join(root, file), 'utf8')
    .matchAll(/\bspecification,? (?:part )?(\d(?:\.\d)?)|"rule": "(\d\.\d)/gi)].map(([, text, rule]) => ({ file, number: text ?? rule })))
  t.ok(cited.length > 300)
  t.strictSame(cited.filter(({ number }) => !sections.includes(number)), [])
  t.match(section('4.1'), /^7\. /m, 'its steps')
  t.match(section('4.3'), /^4\. /m, 'its rules')
})

t.test('explain uses the fields that specification 2.1, 4.3 and 4.4 list', async t => {
  const request = {
    amount: '100.00',
    merchantAccountNumber: '102551',
    orderId: 'O-1',
    sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
    clientTimeStamp: 1709912345678,
    transactionFCRN: '987654',
    transactionId: 'T-1',
    idType: 'ORDER_ID'
  }
  const uses = [...section('2.1').matchAll(/^\| `(\w+)` \| ([\w, ]+) \|/gm)]
  t.equal(uses.length, 11)
  const rows = [...section('4.3').matchAll(/^\| (\w+) \| `?(\w+)`? \| `?(\w+)`? \| `?(\w+)/gm)].slice(1)
  t.equal(rows.length, 4)
  for (const [, user = '', ...sources] of [...rows, ['', 'B', 'amount', 'orderId']]) {
    const variant = user === 'B' ? 'B' : 'A'
    const { terms, warnings } = explain(variant === 'A' ? { ...request, operationType: user } : request, { variant })
    const documented = uses.filter(([, , users = '']) => !['all', variant, user].some(name => users.split(', ').includes(name)))
    t.strictSame(warnings.filter(({ code }) => code === 'field-not-used').map(({ field }) => field as string).sort(),
      documented.map(([, field]) => field).filter(field => field !== 'operationType').sort(), `${user}: unused fields`)
    const signed = ['amount', 'referenceNumber', 'orderIdOrNull'].flatMap(term => terms.filter(({ name }) => name === term))
    t.strictSame(signed.map(({ source }) => source.match(/^\w+/)?.[0].replace('nothing', 'empty')), sources, `${user}: terms`)
  }
})

t.test('each link leads to a file and a heading', async t => {
  const anchorsIn = (path: string): string[] => [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading.replace(/\[(.*?)\]\(.*?\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'))
  const links = [...documents, 'CHANGELOG.md'].flatMap(document =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:)([^#)\s]*)(?:#([^)\s]+))?\)/g)]
      .map(([link, file = '', anchor]) => ({ document, link, path: join(root, file === '' ? document : join(dirname(document), file)), anchor })))
  t.ok(links.length > 0)
  t.strictSame(links.filter(({ path, anchor }) => !existsSync(path) ||
    (anchor !== undefined && path.endsWith('.md') && !anchorsIn(path).includes(anchor))), [])
})

t.test('the README is short, and the folders of code have one that explains them', async t => {
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  const wordsIn = (path: string) => textOf(path).trim().split(/\s+/).length
  t.ok(wordsIn('README.md') <= 700)
  t.ok(wordsIn('docs/safe-tonight.md') <= 980)
  for (const folder of ['tools', 'test']) {
    const text = textOf(`${folder}/README.md`)
    t.match(text, `# ${folder}\n`)
    for (const [, path = ''] of text.matchAll(/`([\w-]+(?:\/|\.[\w.]+))`/g)) {
      t.ok([folder, `${folder}/decision`].some(start => existsSync(join(root, start, path))), `${folder}: ${path}`)
    }
  }
})

// Runs the `@example` blocks of docstrings. A literal in a comment at the end of a line is the value of its expression.

const signer = new library.VariantA('development-only-token')
const request: library.PaymentRequest = {
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
}

/** Names that examples use without a declaration. */
const names = {
  ...library,
  compare,
  diagnose,
  explain,
  fieldsOf,
  irregularitiesOf,
  keyCheckValue,
  readerOf,
  strictRule,
  signer,
  request,
  reading: signer.read(request),
  signature: signer.sign(signer.read(request)),
  merchantToken: 'development-only-token',
  process: { env: { MERCHANT_TOKEN: 'development-only-token' } },
  console: { log () {} },
  Bun: { serve () {} }
}

/** Matches a statement with a comment that contains the value of its expression. */
const valued = /^(.*) \/\/ ('.*'|true)$/m

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

const files = ['src', 'tools'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))

for (const file of files.filter(name => name.endsWith('.ts'))) {
  const text = readFileSync(join(root, file), 'utf8')
  for (const { index, 1: lines = '' } of text.matchAll(/^ \* @example\n((?: \*(?!\/).*\n)+)/gm)) {
    t.test(`${file}:${text.slice(0, index).split('\n').length}`, async t => {
      const closing = <T extends { close (): unknown }>(one: T): T => {
        t.teardown(() => one.close())
        return one
      }
      const given = {
        ...names,
        createApp: (options: app.AppOptions) => closing(app.createApp({ ...options, logger: false })),
        createHandler: (options: app.HandlerOptions) => closing(app.createHandler({ ...options, logger: false }))
      }
      const code = lines.replace(/^ \* ?/gm, '').replace(/^import .*/gm, '').replace('port: 3000', 'port: 0')
      const [, statement = '', value] = valued.exec(code) ?? []
      const body = code.replace(valued, statement.includes('return ') ? statement : `return ${statement}`)
      const result = await AsyncFunction(...Object.keys(given), `{${body}}`)(...Object.values(given))
      t.equal(result, value === undefined ? undefined : JSON.parse(value.replaceAll("'", '"')))
    })
  }
}
