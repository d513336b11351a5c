import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readMerchants, type MerchantsFile } from '../../../../src/merchants/many/merchants-file.js'
import { temporaryFolder } from '../../../support/scope.js'
import { whole } from '../../../support/whole.js'

const folder = temporaryFolder(t, 'merchants-') // testdir() of a file is that of all files of the process
mkdirSync(join(folder, 'tokens'))
writeFileSync(join(folder, 'tokens/shop-2'), 'token-of-shop-2-8ce1a5\n')
writeFileSync(join(folder, 'tokens/empty'), '')
const path = join(folder, 'merchants.json')
const loose = { setting: 'MERCHANTS_FILE', strict: false, production: false, accountNumberDigits: 6 }
const strict = { ...loose, strict: true }

const first = { name: 'shop-1', accountNumbers: ['102551'], token: 'token-of-shop-1-4b7d93' }
const second = { name: 'shop-2', accountNumbers: ['200418', '200417'], tokenFile: 'tokens/shop-2', variant: 'B' }

function read (merchants: unknown, requirements = loose, before?: MerchantsFile) {
  writeFileSync(path, typeof merchants === 'string' ? merchants : JSON.stringify({ merchants }))
  return readMerchants(path, requirements, before)
}

t.test('merchants with their accounts, tokens and variants', async t => {
  const before = (await read([first, second], strict))!
  const { bytes, value, ...content } = before
  t.strictSame(content, {
    variant: 'A,B',
    // printf '%s\n%s' '102551 A token-of-shop-1-4b7d93' '200417,200418 B token-of-shop-2-8ce1a5' |
    //   openssl dgst -sha256 -hmac 'payment-signature-backend key check value v1'
    keyCheckValue: '96872b',
    entries: [{ ...first, variant: 'A' }, { ...second, token: 'token-of-shop-2-8ce1a5' }]
  })
  t.equal(await read([first, second], strict, before), undefined, 'the content in use')
  writeFileSync(join(folder, 'tokens/shop-2'), 'another-token-of-shop-2')
  t.equal((await read([first, second], strict, before))!.entries[1]!.token, 'another-token-of-shop-2', 'a token file has changed')
  t.equal((await read([second]))!.variant, 'B')

  const both = [first, { ...first, accountNumbers: ['102552'], variant: 'B' }]
  t.equal((await read(both, strict))!.variant, 'A,B', 'one merchant with accounts of both variants has two entries')
})

const either = 'merchant "shop-1" must have either token or tokenFile'
const lengths = 'merchant "shop-1": the account numbers have different lengths'
const digits = 'must be 6 digits (ACCOUNT_NUMBER_DIGITS)'

for (const [merchants, message, requirements = loose] of [
  ['{"merchants": []}', 'merchants must be a list of at least one merchant'],
  ['{"merchants": {}}', 'merchants must be a list of at least one merchant'],
  ['[]', 'the file must be an object with a list of merchants'],
  [[{ ...first, tokn: 's3cret' }], 'merchants.0.tokn is not known'],
  [[{ ...first, name: 'a b' }], 'merchants.0.name must be 1 to 64 ASCII letters, digits, points, - and _'],
  [[{ ...first, token: '' }], 'merchants.0.token must be a non-empty string'],
  [[{ ...first, accountNumbers: [] }], 'merchants.0.accountNumbers must be a list of at least one account number'],
  [[{ ...first, accountNumbers: [102551] }], 'merchants.0.accountNumbers.0 must be 1 to 64 visible ASCII characters'],
  [[{ ...first, variant: 'C' }], 'merchants.0.variant must be A or B'],
  [[{ ...first, token: undefined }], either],
  [[{ ...first, tokenFile: './tokens/shop-2' }], either],
  [[{ ...first, token: 'development-only-token' }], 'merchant "shop-1": the token is the development token, which everybody knows'],
  [[first, { ...first, token: 'token-of-another', name: 'shop-3' }], 'merchant "shop-3": account number "102551" is given twice'],
  [[{ ...first, accountNumbers: ['102551', '102551'] }], 'merchant "shop-1": account number "102551" is given twice'],
  [[first, { ...first, name: 'shop-3', accountNumbers: ['102599'] }],
    'merchant "shop-3" has the token of "shop-1": each merchant needs a token of its own'],
  ...['\ud800-token-4b7d93', 'token-\ufffd-4b7d93'].map(token => [[{ ...first, token }],
    'merchant "shop-1": the token has U+FFFD or half a surrogate pair, which a wrong encoding leaves: copy it again'] as const),
  // 1025 with 99100.00 and 102599 with 100.00 are one text.
  [[{ ...first, accountNumbers: ['1025', '102599'] }], lengths],
  [[{ ...first, accountNumbers: ['1025'] }, { ...first, accountNumbers: ['102599'], variant: 'B' }], lengths],
  [[{ ...first, accountNumbers: ['10255a'] }], `merchant "shop-1": account number "10255a" ${digits}`, strict],
  [[{ ...first, accountNumbers: ['s3cret-token-as-an-account'] }], `merchant "shop-1": account number that is not shown ${digits}`, strict],
  [[{ ...first, token: '12345678.1234567890' }], 'merchant "shop-1": STRICT needs a token that has more than digits and points', strict],
  [[{ ...first, token: 'arn:aws:secretsmanager:x' }], 'merchant "shop-1": NODE_ENV=production refuses the merchant token: it is a reference, ' +
    'an assignment or an object, and not the secret itself', { ...loose, production: true }]
] as ReadonlyArray<[merchants: unknown, message: string, requirements?: typeof loose]>) {
  t.test(`a fault: ${message}`, async t => {
    await t.rejects(read(merchants, requirements), { code: 'ERR_TOKEN', message: whole(`MERCHANTS_FILE: ${message}`) })
  })
}

t.test('files that cannot be read', async t => {
  const twice = `{"merchants":[${JSON.stringify(first).replace('{', '{"token":"s3cret-1",')}]}`
  const place = `MERCHANTS_FILE is "${path}", which cannot be used:`
  for (const [merchants, message] of [
    [twice, `${place} an object of the file has "token" twice`],
    ['{"merchants": [s3cret', /^MERCHANTS_FILE is "[^"]+", which cannot be used: the file is not JSON: see line 1, column 16$/],
    [[{ ...second, tokenFile: 's3cret' }], 'MERCHANTS_FILE: merchant "shop-2": tokenFile is a path that is not shown (it has no / or ./ before it), which ' +
      'cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself'],
    [[{ ...second, tokenFile: './tokens/empty' }], 'MERCHANTS_FILE: merchant "shop-2": tokenFile is "./tokens/empty", which is empty']
  ] as const) await t.rejects(read(merchants), { code: 'ERR_TOKEN', message: whole(message) })
  await t.rejects(readMerchants(JSON.stringify({ merchants: [first] }), loose), {
    code: 'ERR_TOKEN', message: whole('MERCHANTS_FILE is a path that is not shown (it has no / or ./ before it), which cannot be used: ENOENT')
  }, 'the content, with its tokens, instead of the path')
})

t.test('under STRICT no token begins or ends with another, apart from digits and points at its end', async t => {
  const pairOf = (token: string, other: string) =>
    [{ ...first, token }, { name: 'shop-2', accountNumbers: ['200417'], token: other }]
  const fault = 'MERCHANTS_FILE: a token begins or ends with another one, apart from digits and points at its end: a signature of ' +
    'one merchant could be valid for the other; give each merchant a random token'
  for (const [token, other] of [
    ['secret', 'secret-more'], ['secret', 'more-secret'], ['secret-1', 'secret-10'], ['secret', 'secret10.50'],
    ['Kq7-secret', 'xKq7-secret1'], ['xKq7-secret', 'Kq7-secret1'], ['xKq7-secret', 'Kq7-secret1234567.'], ['secret', 'secret200417x'], ['geheim-\u00fc', 'x-geheim-\u00fc7']
  ] as const) {
    for (const pair of [pairOf(token, other), pairOf(other, token)]) {
      await t.rejects(read(pair, strict), { message: whole(fault) }, `${token}, ${other}`)
      t.equal((await read(pair))!.entries.length, 2, 'without STRICT')
    }
  }
  for (const [token, other] of [
    ['secret-a', 'secret-b'], ['a-secret', 'b-secret'], ['10-secret', '1-secret'], ['in-the-middle', 'x-in-the-middle-x']
  ] as const) t.equal((await read(pairOf(token, other), strict))!.entries.length, 2)
})

t.test('at most 20 faults are collected: a large file would have a million', async t => {
  const numbers = { name: 'shop-1', token: 'token-of-shop-1', accountNumbers: Array.from({ length: 5000 }, (_, at) => `x${at}`) }
  const error: Error = await read([numbers], strict).then(() => t.fail('it was used'), error => error)
  t.equal(error.message.split('\n').length, 20)
})
