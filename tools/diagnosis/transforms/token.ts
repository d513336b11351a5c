import { developmentToken } from '../../../src/token/key-check-value.js'
import { asBytes, digestOf, fromHex } from '../bytes.js'
import type { Transform } from '../transform.js'

/** Mistakes in the configuration of a token. The sentences never contain the token. */
export const token: readonly Transform[] = [
  ['development', 'it was the development token',
    'Set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE where the signature was made, and NODE_ENV=production.',
    { 4: () => [developmentToken] }, ['token']],
  ['missing', 'it was missing: an empty text or a placeholder was used',
    'Check that the variable reaches the process that signs; compare the key check values.', {
      4: () => [
        '', 'undefined', 'null', 'None', 'your-merchant-token', '{{ .Values.merchantToken }}', '{{ .Values.token }}',
        '[object Promise]', '[object Object]', 'changeme', 'secret', 'test', '***', '********', '[REDACTED]'
      ]
    }, ['token']],
  ['in-json', 'the whole JSON of a secret was used instead of its member, or the reverse', 'Parse the secret, and sign with the member that contains the token.', {
    5: text => [
      ...['MERCHANT_TOKEN', 'merchantToken', 'merchant_token', 'token', 'value', 'password'].flatMap(name =>
        ['":"', '": "'].map(between => `{"${name}${between}${text}"}`)),
      text.replace(/^\{\s*"[^"]*"\s*:\s*"([^"]*)"\s*\}$/, '$1')
    ]
  }, ['token']],
  ['utf-16', 'its file was UTF-16 and was read in another encoding', 'Save the file that it comes from as UTF-8 without a byte order mark.', {
    5: text => [['', '\0'], ['\0', '']].flatMap(([before = '', after = '']) => {
      const units = text.replace(/[^]/g, unit => before + unit + after)
      return ['', '\xff\xfe', '\xfe\xff', '\ufffd\ufffd', '\ufeff', asBytes('\xff\xfe')].flatMap(mark => [mark + units, `${mark}${units}${before}\n${after}`])
    })
  }, ['token']],
  ['cut-by-configuration', 'a configuration file or shell removed a part of it at a #, $, \\ or =',
    'Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.',
    { 4: text => [/(?<!\s)\s*#.*$/s, /\$.*$/s, /\\/g, /^[^=]*=/, /=.*$/s, /=[^=]*$/, /;.*$/s, /&.*$/s].map(part => text.replace(part, '')) }, ['token']],
  ['expanded', 'a shell, Compose, Make or PHP expanded $ and what follows it as a variable', 'Put it in single quotes, or write each $ as $$ where that is the rule, as in Compose.', {
    4: text => [
      /\$\{?\w*\}?/g, /\$(?:\d|[a-z_]\w*|\{[^}]*\})/gi, /\$(?:[a-z_]\w*|\{[^}]*\})/gi, /\$[^(]/gs
    ].map(part => text.replace(part, '')).concat(text.replaceAll('$$', '$'), text.replaceAll('$', '$$$$'), text.replaceAll('$', '\\$'))
  }, ['token']],
  ['prefix', 'its prefix was taken off or added', 'Use the whole token, with its prefix.', {
    5: text => [/^[a-z]+[_-]/i, /^(?:[a-z]+[_-])+/i, /^.*[_:.]/s, /^[^:]*:/].map(part => text.replace(part, ''))
  }, ['token']],
  ['with-its-name', 'its name, or a word such as Bearer, stood before it',
    'Use only the text after the name: the whole line of a file is not the token.', {
      5: text => [
        ...['MERCHANT_TOKEN', 'merchantToken', 'TOKEN', 'token'].flatMap(name => ['=', ': ', ':', ' = '].map(sign => name + sign + text)),
        ...['Bearer ', 'Basic ', 'Token ', 'export MERCHANT_TOKEN='].map(start => start + text),
        `MERCHANT_TOKEN="${text}"`, text.replace(/^(?:Bearer|Basic|Token) /i, '')
      ]
    }, ['token']],
  ['hashed', 'a hash of it was used in its place', 'Join the token itself: only the whole text is hashed.', {
    5: text => ['sha256', 'md5', 'sha1', 'sha512'].map(algorithm => digestOf(algorithm, text)).flatMap(digest =>
      [digest, digest.toUpperCase(), btoa(fromHex(digest)), btoa(digest)])
  }, ['token']]
]
