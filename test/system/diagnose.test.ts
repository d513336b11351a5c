import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { snippets } from '../../tools/diagnosis/snippets.js'
import { isFirst } from '../support/diagnosed.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { run } from '../support/command-line.js'
import { testApp } from '../support/app.js'
import { portOf } from '../support/http.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { diagnosed, neighbours, unrelated } from '../support/other-values.js'
import { isInstalled, programs, runProgram } from '../support/programs.js'

t.test('the right cause is first for each named mistake in each of its uses', async t => {
  for (const mistake of namedMistakes) {
    for (const [use, { signature, request, options }] of mistake.attempts) {
      const diagnosis = diagnose(signature, request, options)
      t.ok(isFirst([mistake], diagnosis), `${use}, ${mistake.hypothesis}, ${mistake.what}: ${JSON.stringify(diagnosis.causes)}`)
    }
  }
})

t.test('programs with mistakes: the right cause is first for 95 %', async t => {
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

t.test('a HAR of Chromium: the token of the service is another one', { skip: withoutBrowser }, async t => {
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
      await fetch('/api/generate-signature', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) })
    }
  })
  await page.context().close() // writes the file
  const { code, stdout } = await run(['diagnose', '--request', har, '--tokens', join(folder, 'tokens')])
  t.match(stdout, /^✗ 3 of 3 fail\n\n1\. explains 3 of 3, such as sid "s-0"\n {3}The token had 20 characters when it was signed; yours has 22 characters\.\n {3}Perhaps it was the one named staging\.\n/)
  t.equal(code, 0)
})

const expected = ['1234.50', '1234.50', undefined, 'secret', 'secret', 'null', '17099123456785f0c5f4e1234.50',
  '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c', 'a///b', '5f0c']
const text = '17099123456785f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11100.00'

/** Runs all snippets of a language, each after the values of its variables. Returns what they print. */
const runs = {
  php: (folder: string) => ['php', '-r', snippets.map(([, { php }], index) => `(function () {
    $amount = '1234.5'; $cents = 123450; $path = '${folder}/token'; $merchantToken = '"secret"'; $orderId = null;
    $clientTimeStamp = 1709912345678; $sid = '${'5F0C5F4E'}'; $referenceNumber = ''; $part1 = 'a'; $part2 = 'b'; $text = '${text}';
    ${index === 6 ? "$sid = '5f0c5f4e'; $amount = '1234.50';" : index === 9 ? "$sid = '5F0C';" : ''}
    ${php} echo $${/^\$(\w+)/.exec(php)![1]}, "\\n"; })();`).join('\n')],
  python: (folder: string) => ['python3', '-c', `import decimal, time, hashlib
${snippets.map(([, { python }], index) => `amount, cents, path, merchant_token, order_id = '1234.5', 123450, '${folder}/token', '"secret"', None
client_time_stamp, sid, reference_number, part1, part2, text = 1709912345678, '5f0c5f4e', '', 'a', 'b', '${text}'
${index === 6 ? "amount = '1234.50'" : index === 9 ? "sid = '5F0C'" : ''}
${python}
print(${/^(\w+)/.exec(python)![1]})`).join('\n')}`],
  js: (folder: string) => ['node', '-e', `const { readFileSync } = require('node:fs'); const { createHash } = require('node:crypto')
${snippets.map(([, { js }], index) => {
    const [, name = ''] = /^(?:const )?(\w+)/.exec(js)!
    const values: Record<string, string> = {
      amount: index === 6 ? "'1234.50'" : "'1234.5'",
cents: '123450',
path: `'${folder}/token'`,
merchantToken: '\'"secret"\'',
orderId: 'null',
      clientTimeStamp: '1709912345678',
sid: index === 9 ? "'5F0C'" : "'5f0c5f4e'",
referenceNumber: "''",
part1: "'a'",
part2: "'b'",
text: `'${text}'`
    }
    const others = Object.entries(values).filter(([other]) => !js.startsWith('const') || other !== name)
    return `{ let ${others.map(pair => pair.join(' = ')).join(', ')}; ${js}; console.log(String(${name})) }`
  }).join('\n')}`]
}

for (const [language, command] of Object.entries(runs)) {
  t.test(`the fixes in ${language}`, { skip: spawnSync(command('')[0]!, ['--version']).error !== undefined && 'not installed' }, async t => {
    const folder = t.testdir({ token: 'secret\n' })
    const [program = '', ...args] = command(folder)
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    const lines = stdout.trimEnd().split('\n')
    t.equal(lines.length, snippets.length, stderr)
    for (const [index, line] of lines.entries()) t.match(line, expected[index] ?? /^\d{13}$/, language)
  })
}

t.test('the fixes in java', { skip: spawnSync('java', ['--version']).error !== undefined && 'not installed' }, async t => {
  const folder = t.testdir({ token: 'secret\n' })
  const body = snippets.map(([, { java }], index) => {
    const [, type, name = ''] = /^(String )?(\w+)/.exec(java)!
    const values: Record<string, string> = {
      amount: index === 6 ? '"1234.50"' : '"1234.5"',
      merchantToken: '"\\"secret\\""',
      orderId: 'null',
      clientTimeStamp: '"1709912345678"',
      sid: index === 9 ? '"5F0C"' : '"5f0c5f4e"',
      referenceNumber: '""',
      part1: '"a"',
      part2: '"b"',
      text: `"${text}"`
    }
    const others = Object.entries(values).filter(([other]) => type === undefined || other !== name)
    return `{ var path = java.nio.file.Path.of("${folder}/token"); long cents = 123450; ${others.map(([name, value]) => `String ${name} = ${value};`).join(' ')} ${java} System.out.println(${name}); }`
  }).join('\n')
  const file = t.testdir({ 'Fixes.java': `public class Fixes { public static void main(String[] args) throws Exception {\n${body.replaceAll(folder, `${folder}`)}\n} }`, token: 'secret\n' })
  const { stdout, stderr } = spawnSync('java', [`${file}/Fixes.java`], { encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n')
  t.equal(lines.length, snippets.length, stderr)
  for (const [index, line] of lines.entries()) t.match(line, expected[index] ?? /^\d{13}$/)
})
