import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const folder = join(root, 'test/conformance')

/** A vector, with the text of its request: a number such as 100.00 has another one once it is parsed. */
interface Vector { variant: string, token: string, request: string, expected: string }

const vectors = ['variant-a', 'variant-b', 'lone-surrogates', 'refusals'].flatMap((name): Vector[] => {
  const text = readFileSync(join(root, `vectors/${name}.json`), 'utf8')
  const { variant, vectors } = JSON.parse(text)
  // JSON strings contain no newlines, and nested objects are indented further.
  const requests = [...text.matchAll(/^ {6}"request": (\{.*?^ {6}\})/gms)].map(([, request = '']) => request.replace(/\n */g, ''))
  return (vectors as Array<Record<string, string>>).map((vector, index) => {
    const { variant: own = variant, token = '', signature, status, error } = vector
    return { variant: own, token, request: requests[index]!, expected: signature ?? `${status} ${error}` }
  })
})

/** Runs a program with a line for each vector. Returns the numbers of right, wrong and refused answers. */
function run (program: string, ...args: string[]): { right: number, wrong: number } {
  const input = vectors.map(({ variant, token, request }) =>
    `{"variant":"${variant}","token":${JSON.stringify(token)},"request":${request}}\n`).join('')
  const lines = execFileSync(program, args, { input, encoding: 'utf8', maxBuffer: 2 ** 24 }).trimEnd().split('\n')
  t.equal(lines.length, vectors.length)
  const right = vectors.filter(({ expected }, index) => lines[index] === expected).length
  const wrong = vectors.filter(({ expected }, index) => /^[0-9a-f]{64}\/\/\//.test(lines[index]!) && lines[index] !== expected).length
  return { right, wrong }
}

t.test('a Python program signs all vectors', { skip: lacking('python3') }, async t => {
  t.strictSame(run('python3', join(folder, 'reference.py')), { right: 444, wrong: 0 })
})

t.test('the check of the page finds no difference in the library', async t => {
  const page = readFileSync(join(root, 'vectors/README.md'), 'utf8')
  const [, check = ''] = /## Check another implementation[^]*?```js\n([^]*?)```/.exec(page) ?? []
  const local = check.replace("{ sign } from './your-implementation.js'", "{ VariantA, VariantB } from 'payment-signature-backend'")
    .replace('sign(variant, request, token)', '(signer => signer.sign(signer.read(request)))(variant === "A" ? new VariantA(token) : new VariantB(token))')
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', local], { cwd: root, encoding: 'utf8' })
  t.equal(output, '325 of 325 signatures are right\n')
})
