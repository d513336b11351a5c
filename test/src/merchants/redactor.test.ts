import t from 'tap'
import { Redactor } from '../../../src/merchants/redactor.js'

function redactorOf (...tokens: string[]): Redactor {
  const redactor = new Redactor()
  for (const token of tokens) redactor.hide(token)
  return redactor
}

t.test('a token in the forms that a line may have', async t => {
  for (const [token, text, expected] of [
    ['s3cret-token', 'xs3cret-tokens3cret-tokenx', 'x[redacted][redacted]x'],
    ['a"b\\c\nd€e', 'a"b\\c\nd€e', '[redacted]'],
    ['a"b\\c\nd€e', '{"msg":"a\\"b\\\\c\\nd€e"}', '{"msg":"[redacted]"}'],
    ['a"b\\c\nd€e', '{"msg":"{\\"t\\":\\"a\\\\\\"b\\\\\\\\c\\\\nd€e\\"}"}', '{"msg":"{\\"t\\":\\"[redacted]\\"}"}'],
    ['a"b\\c\nd€e', '/a%22b%5Cc%0Ad%E2%82%ACe', '/[redacted]'],
    ['ab/+cd=="é€', '/ab%2f%2bcd%3d%3d%22%c3%a9%e2%82%ac/', '/[redacted]/'],
    ['\ud800-surrogate', '"\\ud800-surrogate"', '"[redacted]"'],
    ['12345678', 'x12345678', 'x[redacted]'],
    ['1234567', 'x1234567', 'x1234567'], // a log without "info" or "1" would be unreadable
    ['', 'all stays', 'all stays']
  ] as const) t.equal(redactorOf(token).redact(text), expected, `${JSON.stringify(token)} in ${text}`)
})

t.test('the token in use and the token before it', async t => {
  t.equal(redactorOf('first-token', 'second-token', 'third-token').redact('first-token second-token third-token'),
    'first-token [redacted] [redacted]')
  t.equal(redactorOf('abcdefgh-2025', 'abcdefgh').redact('abcdefgh-2025 abcdefgh'), '[redacted] [redacted]', 'one is in the other')
})
