import { join } from 'node:path'
import t from 'tap'
import { diagnose } from '../../tools/diagnosis/diagnose.js'
import { isFirst } from '../support/diagnosed.js'
import { launch, openTab, withoutBrowser } from '../support/browser.js'
import { run } from '../support/command-line.js'
import { testApp } from '../support/app.js'
import { portOf } from '../support/http.js'
import { namedMistakes } from '../support/named-mistakes.js'
import { diagnosed, neighbours, unrelated } from '../support/other-values.js'
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
