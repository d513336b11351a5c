import { digestOf, fromHex } from '../bytes.js'
import type { Kind } from '../context.js'
import { encodings } from './encodings.js'
import type { Mistake } from './mistake.js'
import { decimalOf, numbers } from './numbers.js'
import { texts } from './texts.js'
import { times } from './times.js'

/** Texts of an absent value in several languages. */
const absentTexts = ['', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null',
  '<nil>', '%!s(<nil>)']
const isAbsent = (text: string): boolean => absentTexts.includes(text)

const absent: readonly Mistake[] = [
  ['absent', (_signed, sent) => isAbsent(sent)
    ? 'an absent value was written as another text'
    : 'the value was missing where the signature was made',
  (_signed, sent) => isAbsent(sent)
    ? 'Sign an absent value as an empty text; in the order term of variant A as the text null.'
    : 'Check that the value reaches the code that signs: the name of its variable or field, and the order in which ' +
      'they are set.', {
    3: text => isAbsent(text) ? absentTexts : [],
    4: () => [''],
    6: text => [...absentTexts, '0', '0.00', ...isAbsent(text) ? ['0.0', '""', 'none'] : []]
  }, ['timestamp', 'sid', 'amount', 'identifier', 'account-number']]
]

/** Beginnings and ends that a configuration file or a shell cuts off. */
const cuts = [/(?<!\s)\s*#.*$/s, /\$.*$/s, /\\/g, /^[^=]*=/, /=.*$/s, /=[^=]*$/, /;.*$/s, /&.*$/s]
/** Texts that shells and other programs expand as variables. */
const variables = [
  /\$\{?\w*\}?/g, /\$(?:\d|[a-z_]\w*|\{[^}]*\})/gi, /\$(?:[a-z_]\w*|\{[^}]*\})/gi, /\$[^(]/gs
]

/** Mistakes in the configuration of a token. The sentences never contain the token. */
const tokens: readonly Mistake[] = [
  ['missing', 'it was missing: an empty text or a placeholder was used',
    'Check that the variable reaches the process that signs; compare the key check values.', {
      4: () => [
        '', 'undefined', 'null', 'None', 'your-merchant-token', '{{ .Values.merchantToken }}', '{{ .Values.token }}',
        '[object Promise]', '[object Object]', 'changeme', 'secret', 'test'
      ]
    }, ['token']],
  ['cut-by-configuration', 'a configuration file or shell removed a part of it at a #, $, \\ or =',
    'Put it in single quotes in .env files and shells, or use MERCHANT_TOKEN_FILE.',
    { 4: text => cuts.map(part => text.replace(part, '')) }, ['token']],
  ['expanded', 'a shell, Compose, Make or PHP expanded $ and what follows it as a variable',
    'Put it in single quotes, or write each $ as $$ where that is the rule, as in Compose.', {
      4: text => [
        ...variables.map(part => text.replace(part, '')),
        ...[['$$', '$'], ['$', '$$$$'], ['$', '\\$']].map(([from, to]) => text.replaceAll(from!, to!))
      ]
    }, ['token']],
  ['with-its-name', 'its name, or a word such as Bearer, stood before it',
    'Use only the text after the name: the whole line of a file is not the token.', {
      5: text => [
        ...['MERCHANT_TOKEN', 'merchantToken', 'TOKEN', 'token'].flatMap(name =>
          ['=', ': ', ':', ' = '].map(sign => name + sign + text)),
        ...['Bearer ', 'Basic ', 'Token ', 'export MERCHANT_TOKEN='].map(start => start + text),
        `MERCHANT_TOKEN="${text}"`, text.replace(/^(?:Bearer|Basic|Token) /i, '')
      ]
    }, ['token']],
  ['hashed', 'a hash of it was used in its place', 'Join the token itself: only the whole text is hashed.', {
    5: text => ['sha256', 'md5', 'sha1', 'sha512'].map(algorithm => digestOf(algorithm, text)).flatMap(digest =>
      [digest, digest.toUpperCase(), btoa(fromHex(digest)), btoa(digest)])
  }, ['token']]
]

const plainAmount = /^(?:0|[1-9]\d*)(?:\.\d{1,3})?$/
const currency = /^\s*(?:[\p{L}.]{1,4}|\p{Sc})\s?(?=[\d\p{Nd}])|(?<=[\d\p{Nd}])\s?(?:[\p{L}.]{2,4}|\p{Sc})\s*$/gu

/** Returns an identifier with each run of digits replaced by 9. */
const patternOf = (text: string): string => text.replace(/\d+/g, '9')

/** True if the signed text is an ordinary value of the kind, and differs from the sent value. */
export function isAnotherValue (kind: Kind, signed: string, sent: string): boolean {
  switch (kind) {
    case 'amount': return [signed, sent].every(text => plainAmount.test(text)) && Number(signed) !== Number(sent)
    case 'timestamp': return [signed, sent].every(text => /^\d{13}$/.test(text)) && signed !== sent
    case 'account-number': return signed.length === sent.length && isAnotherValue('identifier', signed, sent)
    case 'identifier': return /\d/.test(sent) && patternOf(signed) === patternOf(sent) && !/^0|0{6}/.test(signed)
    default: return false
  }
}

/** True if a text can stand between two changes. An amount has to remain a number. */
export const isValid = (kind: Kind, text: string): boolean =>
  kind !== 'amount' || (decimalOf(text) !== undefined && !/\p{L}/u.test(text.replace(currency, '')))

/** Yields the amounts up to a number of smallest units, with the decimals of an amount. Other texts yield nothing. */
const amounts = (largest: number) => function * (text: string): Generator<string> {
  const [isAmount, decimals = ''] = /^\d+(?:\.(\d{1,3}))?$/.exec(text) ?? []
  if (isAmount === undefined) return
  for (let amount = 1; amount <= largest; amount++) {
    const digits = String(amount).padStart(decimals.length + 1, '0')
    const point = digits.length - decimals.length
    yield decimals === '' ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  }
}

/** Yields the numbers around the number at the end of a text, the nearest first, with its leading zeros. */
const around = (distance: number, pattern = /^(.*?)(\d+)$/s) => function * (text: string): Generator<string> {
  const [, start = '', digits = ''] = pattern.exec(text) ?? []
  const value = Number(digits)
  if (!/^\d{1,15}$/.test(digits)) return
  for (let step = 1; step <= distance; step++) {
    yield start + String(value + step).padStart(digits.length, '0')
    if (value >= step) yield start + String(value - step).padStart(digits.length, '0')
  }
}

/** Returns a text with each of its digits replaced by each other digit. */
const otherDigits = (text: string): string[] => Array.from(text, (character, at) => /\d/.test(character)
  ? [...'0123456789'].map(digit => text.slice(0, at) + digit + text.slice(at + 1))
  : []).flat()

const time = /^()(\d+)$/s

/** Reason and advice for another ordinary value. */
export const anotherValue = {
  says: (signed: string, sent: string, kind: Kind): string =>
    kind === 'timestamp' && Math.abs(Number(signed) - Number(sent)) <= 60_000
      ? 'the clock was read twice, once for the signature and once for the request'
      : 'the value was changed, calculated again, or taken from another request',
  fix: 'Sign and send the same value: take it from one place, once.'
}

/** Other values of a term, whatever the reason. */
const values = ([
  [['amount'], { 5: otherDigits, 15: amounts(200_000) }],
  [['timestamp'], { 7: around(1000, time), 15: around(60_000, time) }],
  [['identifier', 'account-number'], { 9: text => [...around(100)(text), ...otherDigits(text)], 15: around(25_000) }]
] satisfies Array<[Kind[], Mistake[3]]>)
  .map(([kinds, texts]): Mistake => ['another-value', anotherValue.says, anotherValue.fix, texts, kinds])

/** All mistakes in the text of a term. Of two that make the same text at the same cost, the first is told. */
export const mistakes: readonly Mistake[] =
  [...absent, ...numbers, ...times, ...tokens, ...texts, ...encodings, ...values]
