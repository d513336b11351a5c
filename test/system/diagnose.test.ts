import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { snippets, type Language } from '../../tools/diagnosis/snippets.js'
import { isFirst } from '../support/diagnosed.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { run } from '../support/command-line.js'
import { testApp } from '../support/app.js'
import { portOf } from '../support/http.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { diagnosed, neighbours, unrelated } from '../support/other-values.js'
import { lacking } from '../support/installed.js'
import { isInstalled, programs, runProgram } from '../support/programs.js'
import { requests, sid, signature, token } from '../support/wrong-signatures.js'

t.test('the right cause is first for each named mistake in each of its uses', async t => {
  for (const mistake of namedMistakes) {
    for (const [use, { signature, request, options }] of mistake.attempts) {
      const diagnosis = diagnose(signature, request, options)
      t.ok(isFirst([mistake], diagnosis), `${use}, ${mistake.hypothesis}, ${mistake.what}: ${JSON.stringify(diagnosis.causes)}`)
    }
  }
})

t.test('five mistakes, three of them in one part, are found together', async t => {
  const wrong = signature('purchase', {
    time: '1709912345', amount: '1,234.50', sid: `{${sid}}`, order: 'ORDER-12', token: `${token}\n`
  })
  const { causes } = diagnose(wrong, requests.purchase, { variant: 'A', merchantToken: token })
  t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis).sort(),
    ['amount-separators', 'identifier-case', 'sid-wrapped', 'timestamp-unit', 'token-newline'])
})

t.test('an unknown signature has no cause, within the documented number of texts', async t => {
  const unknown = `${'a'.repeat(64)}///${'a'.repeat(64)}`
  const { part1, part2, causes, hints, tries } = diagnose(unknown, requests.purchase, { variant: 'A', merchantToken: token })
  t.strictSame([part1, part2, causes, hints.length], ['unexplained', 'unexplained', [], 3])
  t.match(hints.at(-1), /^The search reached its limit/)
  t.ok(tries > 100_000 && tries <= 1_300_000, `${tries} tries`)
})

t.test('the right cause is first for 95 % of the programs with mistakes', async t => {
  const some = programs.filter(({ language }) => isInstalled(language))
  const missed = some.filter(program => {
    const { signature, request, options } = runProgram(program)
    const mistake = { hypothesis: program.expected, what: '', subject: '', attempts: new Map() }
    return !isFirst([mistake], diagnose(signature, request, options))
  })
  t.ok(missed.length <= 0.05 * some.length, missed.map(({ code }) => code).join('\n'))
})

t.test('other values are not explained by mistakes', async t => {
  const judged = [...neighbours(120), ...unrelated(30)].map(values => ({ values, ...diagnosed(values) }))
  for (const { values: { attempt }, isFalse, isFact, isWrongHint, diagnosis } of judged) {
    t.strictSame([isFalse, isFact, isWrongHint], [false, false, false], JSON.stringify([attempt, diagnosis]))
  }
  const found = judged.filter(({ isFound }) => isFound).length
  t.ok(found >= 60, `${found} values are found`)
})

t.test('a HAR of Chromium shows that the service has another token', { skip: withoutBrowser }, async t => {
  const { app } = testApp(t, { config: { MERCHANT_TOKEN: 'the-token-of-staging', LOG_LEVEL: 'silent' } })
  const origin = `http://127.0.0.1:${await portOf(app)}`
  const folder = t.testdir({ tokens: 'staging=the-token-of-staging\n' })
  const har = join(folder, 'shop.har')
  const { page } = await openTab(t, await launch(t), { recordHar: { path: har } })
  await page.route('**/shop', route => route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }))
  await page.goto(`${origin}/shop`)
  await page.evaluate(async () => {
    for (const [index, amount] of ['100.00', '12.55', '7.10'].entries()) {
      const request = { amount, merchantAccountNumber: '102551', orderId: `A-${index}`, sid: `s-${index}`, clientTimeStamp: Date.now() }
      const response = await fetch('/api/generate-signature', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) })
      await response.json()
    }
  })
  await page.context().close() // writes the file
  const { code, stdout } = await run(['diagnose', '--request', har, '--tokens', join(folder, 'tokens')])
  t.match(stdout, /^✗ 3 of 3 fail\n\n1\. explains 3 of 3, such as sid "s-0"\n {3}The token had 20 characters when it was signed; yours has 22 characters\.\n {3}Perhaps it was the token named staging\.\n/)
  t.equal(code, 0)
})

const expected = ['1234.50', '1234.50', undefined, 'secret', 'secret', 'null', '17099123456785f0c5f4e1234.50',
  '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c', 'a///b', '5f0c']
const text = '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00'

type Value = readonly [name: string, literal: string]

/** The values that the snippet of an index uses, as literals: JSON is right in all languages. */
const valuesFor = (index: number, folder: string): Value[] => Object.entries({
  amount: index === 6 ? '1234.50' : '1234.5',
  cents: 123450,
  path: `${folder}/token`,
  merchantToken: '"secret"',
  orderId: null,
  clientTimeStamp: '1709912345678',
  sid: index === 9 ? '5F0C' : '5f0c5f4e',
  referenceNumber: '',
  part1: 'a',
  part2: 'b',
  text
}).map(([name, value]) => [name, JSON.stringify(value)])

const goLiteral = (index: number, [name, value]: Value): Value[] => {
  if (name === 'orderId') return [['orderIdOrNull', '""']]
  return [name === 'path' ? ['file', '[]byte("secret\\n")'] : [name, name === 'amount' && index === 0 ? '1234.5' : value]]
}
const javaValue = ([name, value]: Value): Value =>
  [name, name === 'path' ? `java.nio.file.Path.of(${value})` : name === 'orderId' ? '(String) null' : value]
const snake = (name: string): string => name.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`)
const joined = (values: readonly Value[], declare: (name: string, value: string) => string): string =>
  values.map(value => declare(...value)).join(' ')

/** Command that runs a program of a language, and a program of values, a snippet, and a print of the result. */
const languages: Record<Language, {
  run: readonly string[],
  file: string,
  start: string,
  end: string
  block: (values: readonly Value[], code: string, name: string, index: number) => string
}> = {
  php: {
    run: ['php'],
    file: 'fixes.php',
    start: '<?php',
    end: '',
    block: (values, code, name) =>
    `(function () { ${joined(values, (name, value) => `$${name} = ${value};`)} ${code} echo $${name}, "\\n"; })();`
  },
  python: {
    run: ['python3'],
    file: 'fixes.py',
    start: 'import decimal, time, hashlib',
    end: '',
    block: (values, code, name) =>
    `${joined(values, (name, value) => `${snake(name)} = ${value === 'null' ? 'None' : value};`)}\n${code}\nprint(${name})`
  },
  js: {
    run: ['node'],
    file: 'fixes.mjs',
    start: "import { readFileSync } from 'node:fs'; import { createHash } from 'node:crypto'",
    end: '',
    block: (values, code, name) => `{ ${joined(values, (name, value) => `let ${name} = ${value};`)} ${code}; console.log(String(${name})) }`
  },
  go: {
    run: ['go', 'run'],
    file: 'fixes.go',
    end: '}',
    start: 'package main\nimport ("crypto/sha256"; "fmt"; "strconv"; "strings"; "time")\nfunc main() {',
    block: (values, code, name, index) => `{ ${joined(values.flatMap(value => goLiteral(index, value)), (name, value) =>
      `var ${name} = ${value}; _ = ${name};`)} ${code}; fmt.Println(${name}) }`
  },
  java: {
    run: ['java'],
    file: 'Fixes.java',
    start: 'public class Fixes { public static void main(String[] args) throws Exception {',
    end: '} }',
    block: (values, code, name) => `{ ${joined(values.map(javaValue), (name, value) => `var ${name} = ${value};`)} ${code} System.out.println(${name}); }`
  }
}

for (const [language, { run, file, start, end, block }] of Object.entries(languages)) {
  const [program = '', ...args] = run
  t.test(`the fixes in ${language} print the right values`, { skip: lacking(program) }, async t => {
    const folder = t.testdir({ token: 'secret\n' })
    const blocks = snippets.map(([, { [language as Language]: code }], index) => {
      const [, name = ''] = /^(?:const |String |if |\$)?(\w+)/.exec(code)!
      const isDeclared = /^(?:const|String) |:=/.test(code)
      return block(valuesFor(index, folder).filter(([other]) => !isDeclared || other !== name), code, name, index)
    })
    writeFileSync(join(folder, file), [start, ...blocks, end].join('\n'))
    const env = { ...process.env, GOCACHE: join(folder, 'cache'), GO111MODULE: 'off' }
    const { stdout, stderr } = spawnSync(program, [...args, join(folder, file)], { encoding: 'utf8', env })
    const lines = stdout.trimEnd().split('\n')
    t.equal(lines.length, snippets.length, stderr)
    for (const [index, line] of lines.entries()) t.match(line, expected[index] ?? /^\d{13}$/, `${language} ${index}`)
  })
}
