import { fieldNames } from '../../src/scheme/request.js'

/** Returns a text with an escape for each UTF-16 code unit. */
const escaped = (text: string): string => text.split('').map(unit =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const edgesOfNumbers = [
  '0', '-0', '0.0', '-0.0', '0e9', '1', '-1', '1.0', '100.00', '0.1', '1e2', '1E+2', '1e-2', '1e20', '1e21', '1e22', '123456789e13',
  '1e-6', '1e-7', '1.5e-7', '15e-8', '0.000001', '0.0000001', '9007199254740991', '9007199254740992', '9007199254740993',
  '-9007199254740993', '9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616',
  '12345678901234567890', '123456789012345678901234567890', '999999999999999999999', '1000000000000000000000',
  '1.7976931348623157e308', '1.7976931348623159e308', '1e308', '1e309', '-1e400', '1e-323', '5e-324', '4e-324', '2e-324', '1e-400',
  '2.2250738585072014e-308', '2.225073858507201e-308', '2.2250738585072011e-308', '0.30000000000000004', '0.1000000000000000055511151231257827',
  '5e-7', '123456.789e3', '1.00000000000000011102230246251565', '1709912345678', '1709912345678.5', '-1709912345678', '4.35', '0.5', '2.5e0',
  '9'.repeat(400), `0.${'0'.repeat(330)}1`, `1${'0'.repeat(309)}`
]

const edgesOfText = [
  '', ' ', 'null', 'undefined', 'NULL', 'Undefined', 'None', 'NaN', 'true', 'false', '0', '-0', '0.00', '0.01', '-0.01', '100.00', '1,000.00', '1e2',
  '1e-400', '1e400', '-1e400', '0x10', '0b1', '0abc', '.5', '.', '-.5', '+.5', '5.', '+5', '-', '+', 'e5', '1e', '1e+', '-5 EGP', '5 EGP', 'Infinity',
  '-Infinity', '+Infinity', 'infinity', 'Infinityx', '\t5', '\u00a00', '\ufeff0', '\u20280', '\u00850', '\u200b0', '\u180e0', '\v-1', '\u0660',
  '\u0661', '\uff10', '\ud835\udfce', '000', '00.5', '--5', '1_000', '1.2.3', '-0x1', '\u0000', '0\u00001', 'a\u0000b', '\u001f', '\u007f', '"', '\\', '/',
  'é', 'e\u0301', 'ß', 'İ', 'ı', 'ﬁ', 'K', '\u212a', 'ſ', '\ud83d\ude00', '\u{10ffff}', '\uffff', '\ufffd', '\ufffe', '\u{1f468}\u200d\u{1f469}', 'أ', '中',
  '[object Object]', 'toString', '__proto__', 'ORDER-12345', '102551', '///', '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
]

/** White space, and characters that are white space in other languages. */
const spaces = [...'\t\n\v\f\r \xa0\u1680\u2000\u2007\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\x1c\x85\u180e\u200b\u2060']

const operationTexts = [
  'purchase', 'refund', 'void', 'inquiry', 'Purchase', 'REFUND', 'Void', 'INQUIRY', 'ınquiry', 'inquİry', 'VOİD', ' refund', 'refund ', 'refunds',
  'Inqu\u0131ry', 'capture', 'refund\u0000'
]

const idTypeTexts = [
  'ORDER_ID', 'order_id', 'Order_Id', 'order_ıd', 'ORDER_İD', 'ORDER-ID', 'FCRN',
  'CORRUID', ' ORDER_ID', 'ORDER_ID ', 'ＯＲＤＥＲ_ID'
]

const otherKeys = ['Sid', 'AMOUNT', 'extra', '', 'merchanttoken', 'orderid', 'amount ', 'toString']

const space = ['', '', '', '', ' ', '\t', '\r', '  ']

/**
 * Returns a function that returns texts of JSON objects: requests with every type of JSON value, edges of numbers and
 * of Unicode, and duplicate keys. Most of them can be signed. The texts have no newline.
 *
 * @param random - returns a number from 0 to below 1
 */
export function requestTexts (random: () => number): () => string {
  const below = (end: number): number => Math.floor(random() * end)
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const happens = (share: number): boolean => random() < share

  /** Returns a JSON string: some characters as they are, some as escapes. */
  function string (text: string): string {
    if (happens(0.7)) return JSON.stringify(text)
    if (happens(0.2)) return `"${escaped(text)}"`
    return `"${[...text].map(character => happens(0.3) ? escaped(character) : JSON.stringify(character).slice(1, -1)).join('')}"`
  }

  function codePoint (): number {
    const kind = random()
    if (kind < 0.4) return 0x20 + below(0x5f)
    if (kind < 0.55) return below(0x100)
    if (kind < 0.75) return below(0x3000)
    if (kind < 0.98) return below(0xd800)
    return 0x10000 + below(0x100000)
  }
  const anyText = (): string => Array.from({ length: below(12) }, () => String.fromCodePoint(codePoint())).join('')
  const surrogates = (): string => Array.from({ length: 1 + below(3) }, () =>
    happens(0.3) ? String.fromCharCode(below(0x80)) : String.fromCharCode(0xd800 + below(0x800))).join('')
  const digits = (): string => String(below(10 ** (1 + below(10))))

  function number (): string {
    if (happens(0.4)) return one(edgesOfNumbers)
    const sign = happens(0.2) ? '-' : ''
    const fraction = happens(0.6) ? `.${'0'.repeat(below(4))}${digits()}` : ''
    const exponent = happens(0.3) ? `${one(['e', 'E', 'e+', 'e-', 'E-'])}${below(happens(0.2) ? 400 : 30)}` : ''
    return `${sign}${digits()}${fraction}${exponent}`
  }

  function nested (): string {
    const depth = happens(0.2) ? 97 + below(7) : 1 + below(10)
    return `${'['.repeat(depth)}${happens(0.5) ? value(0) : ''}${']'.repeat(depth)}`
  }

  function object (levels: number): string {
    const keys = ['a', '', 'sid', 'toString', 'valueOf', 'length', '0', 'é', '\u0000']
    return `{${Array.from({ length: below(3) }, () => `${string(one(keys))}:${value(levels - 1)}`).join(',')}}`
  }

  function value (levels = 2): string {
    const kind = random()
    if (kind < 0.27) return string(one(edgesOfText))
    if (kind < 0.3) return string(one(spaces) + one(['', '0', '-1', one(spaces)]))
    if (kind < 0.45) return string(anyText())
    if (kind < 0.7) return number()
    if (kind < 0.8) return one(['null', 'true', 'false', 'null'])
    if (kind < 0.83) return `"${escaped(surrogates())}"`
    if (kind < 0.85 || levels <= 0) return string(digits())
    if (kind < 0.9) return nested()
    if (kind < 0.95) return `[${Array.from({ length: below(4) }, () => value(levels - 1)).join(one([',', ', ']))}]`
    return object(levels)
  }

  function uuid (): string {
    const hexadecimal = (count: number) => Array.from({ length: count }, () => one([...'0123456789abcdefABCDEF'])).join('')
    return [8, 4, 4, 4, 12].map((count, group) =>
      `${['', '', '4', one('89abAB'.split('')), ''][group]}${hexadecimal([8, 4, 3, 3, 12][group] as number)}`.slice(0, count)).join('-')
  }

  /** Returns a text with one character removed, repeated or replaced. */
  function damaged (text: string): string {
    const at = below(text.length + 1)
    return text.slice(0, at) + one(['', ' ', '\r', 'g', '4', '\u0000', '-']) + text.slice(at + below(2))
  }

  const usual: Record<typeof fieldNames[number], () => string> = {
    operationType: () => string(one(operationTexts)),
    amount: () => happens(0.9) ? string(`${1 + below(10 ** (1 + below(6)))}.${10 + below(90)}`) : number(),
    merchantAccountNumber: () => string(digits()),
    accountNumber: () => string(digits()),
    orderId: () => string(happens(0.5) ? `ORDER-${digits()}` : anyText()),
    sid: () => string(happens(0.05) ? damaged(uuid()) : uuid()),
    clientTimeStamp: () => String(1_600_000_000_000 + below(300_000_000_000)),
    merchantToken: () => string(anyText()),
    transactionFCRN: () => string(digits()),
    transactionId: () => string(happens(0.5) ? anyText() : uuid()),
    idType: () => string(one(idTypeTexts))
  }
  /** Share of the requests that have a field. */
  const shares: Partial<Record<typeof fieldNames[number], number>> = {
    sid: 0.98,
    clientTimeStamp: 0.98,
    merchantAccountNumber: 0.85,
    accountNumber: 0.3,
    merchantToken: 0.1,
    operationType: 0.8
  }

  return () => {
    const isWild = happens(0.3)
    const members: string[] = []
    for (const field of fieldNames) {
      if (!happens(shares[field] ?? 0.5)) continue
      const isUnusual = happens(isWild ? 0.5 : 0.04)
      const key = `"${happens(0.02) ? escaped(field) : field}"`
      members.push(`${key}${one(space)}:${one(space)}${isUnusual ? value() : usual[field]()}`)
      if (happens(0.02)) members.push(`"${field}":${value()}`)
    }
    if (happens(0.05)) members.push(`${string(one(otherKeys))}:${value()}`)
    if (happens(0.3)) members.sort(() => random() - 0.5)
    return `{${one(space)}${members.join(`${one(space)},${one(space)}`)}${one(space)}}`
  }
}
