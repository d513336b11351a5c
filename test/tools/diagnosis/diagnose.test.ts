import t from 'tap'
import { diagnoseAll } from '../../../tools/diagnosis/diagnose-all.js'
import { diagnose, diagnoseInFile, judge } from '../../../tools/diagnosis/diagnose.js'
import type { DiagnoseOptions, Diagnosis } from '../../../tools/diagnosis/diagnosis.js'
import { digest, requests, signature, signatureOf, signed, textsOf, token } from '../../support/wrong-signatures.js'

// Searches are short here. test/system/diagnose.test.ts has the mistakes that are found, and the long searches.

const scheme = { variant: 'A', merchantToken: token } as const
const variantB = { ...scheme, variant: 'B' } as const
/** Options of a search that reaches its limit. */
const limited = { ...scheme, maxTries: 2000 } as const
const nothing = 'a'.repeat(64)
const unknown = `${nothing}///${nothing}`
const { purchase, refund } = requests
const usual = textsOf('purchase', purchase, token)
const [part1 = '', part2 = ''] = signature('purchase').split('///')

const namesIn = ({ causes }: Diagnosis): string[] | undefined => causes[0]?.changes.map(({ hypothesis }) => hypothesis)

type More = readonly [request?: object, options?: DiagnoseOptions]

t.test('a part of a signature that was cut is judged by itself', async t => {
  const judged = (text: string, options = {}) => {
    const { valid, part1, part2, hints } = diagnose(text, requests.purchase, { ...scheme, ...options })
    t.ok(hints.length > 0)
    return [valid, part1, part2]
  }
  t.strictSame(judged(`${part1}///${part2.slice(1)}`), [false, 'matches', 'unexplained'])
  t.strictSame(judged(`${part1.slice(1)}///${part2}`), [false, 'unexplained', 'matches'])
  t.strictSame(judged(`${part1}///${part2.slice(1)}`, { merchantToken: undefined }), [false, 'unexplained', 'unexplained'])
})

/** Instructions, each for one mistake. */
for (const [what, wrong, fix, options = scheme] of [
  ['an empty token', signature('purchase', { token: '' }), /^Check that the variable reaches the process that signs/],
  ['an account number undefined', signature('purchase', { account: 'undefined' }), /^Check that the value reaches the code that signs/],
  ['a token cut at =', signature('purchase', { token: 's3cret' }), /^Put it in single quotes/, { ...scheme, merchantToken: 's3cret=abc' }],
  ['a token expanded in a shell', signature('purchase', { token: 'y0' }), /^Put it in single quotes/, { ...scheme, merchantToken: '$2y$10$KzqIh7BsW' }],
  ['a token whose + became a space', signature('purchase', { token: 'a b/c' }), /^Decode form data once/, { ...scheme, merchantToken: 'a+b/c' }],
  ['a percent-encoded token', signature('purchase', { token: 'a%2Bb%2Fc' }), /^Decode it before signing/, { ...scheme, merchantToken: 'a+b/c' }]
] as ReadonlyArray<readonly [string, string, RegExp, DiagnoseOptions?]>) {
  t.test(`advice for ${what}`, async t => {
    t.match(diagnose(wrong, purchase, options).causes[0]?.changes[0]?.fix, fix)
  })
}

const hintsOfToken = ['Part 1 matches: the time stamp, sid, amount and reference in part 1 are right.',
  "Part 2 differs: compare the token with the signer's by its key check value, then the order id and account number."]
const limit = /^The search reached its limit/
/** Next steps after a match. openssl dgst -hmac made the key check value. */
const next = [/was exactly this sent to the payment side/, /key check value 77fbdd/, /variant A\?$/]
/** The states of the parts, the causes and the hints. */
const open: ReadonlyArray<readonly [
  what: string, wrong: string, parts: string, names: string[] | undefined, hints: Array<RegExp | string>, ...More
]> = [
  ['a right signature', signature('purchase'), 'matches matches', undefined, next],
  ['a right part 2', `${signature('refund').slice(0, 64)}///${part2}`, 'explained matches', ['term-added'], [], { ...purchase, transactionFCRN: '0098765' }],
  ['another token that nobody knows', signature('refund', { token: 'of another planet' }), 'matches unexplained', undefined, [...hintsOfToken, limit], refund, limited],
  ['an explained part 1, and another token', signature('refund', { amount: '1234.5', token: 'of another planet' }), 'explained unexplained', ['amount-decimals'],
    [/^Part 1 is explained/, /^Part 2 probably has the same mistake, and differs/, limit], refund, limited],
  ['another token in variant B', signature('B', { token: 'of another planet' }), 'matches unexplained', undefined,
    [/^Part 1/, /by its key check value, then the account number\.$/, limit], requests.B, { ...limited, variant: 'B' }],
  ['another sid', signature('purchase', { sid: 'x' }), 'unexplained matches', undefined, [/^Part 2 matches: the token, .* in part 2, are right\. Part 1 differs in something else, most often the sid: generate/, limit], purchase, limited],
  ['another sid beside another mistake', signature('purchase', { sid: 'x', order: 'null' }), 'unexplained explained', ['identifier-absent'],
    [/^Part 2 is explained: besides the causes above, the token, .* are right\. Part 1 differs in something else, most often the sid/, limit], purchase, { ...scheme, maxTries: 20_000 }],
  ['a separator, and another sid', signed({ ...usual, sid: 'x' }, terms => digest(terms.join('|'))), 'unexplained explained', ['terms-separated'],
    [/\. Part 1 probably has the same mistake, and differs in something else, most often the sid/, limit], purchase, { ...scheme, maxTries: 20_000 }],
  ['a mistake, without a token', signature('purchase', { amount: '1234.5', token: '?' }), 'explained unsearched', ['amount-decimals'],
    [/^Part 1 is explained/, /because there is no token\. It probably has the same mistake\. Part 2/], purchase, { variant: 'A' }],
  ['a bad writer, without a token', [part1, part2].map(part => Buffer.from(part).toString('hex')).join('///'), 'matches unsearched', ['digest-hex-twice'],
    [/^Part 1 matches/, /because there is no token/], purchase, { variant: 'A' }],
  ['nothing', unknown, 'unexplained unexplained', undefined, ['Part 1 differs, and does not contain the token. Likely another ' +
    'clientTimeStamp was signed: generate sid and clientTimeStamp once, for the signature and the payment request. Otherwise, compare the text that the signing side hashes ' +
    'with that of payment-signature explain. If the texts are equal, the encoding differs (UTF-8), or the algorithm (SHA-256, not Keccak or SM3).', limit],
  purchase, limited],
  ['another sid, without a token', signature('purchase', { sid: 'x' }), 'unexplained unsearched', undefined,
    [/^Part 1 differs, and does not contain the token\. Likely another sid or clientTimeStamp was signed: /, /because there is no token/, limit],
    purchase, { variant: 'A', maxTries: 2000 }],
  ['the output of a tool around wrong digits', `${nothing}  part1.txt///${nothing} *stdin`, 'unexplained unexplained', undefined, [/^Part 1 differs/, limit], purchase, limited],
  ['the digest of nothing, without a token', `${digest('')}///${digest('')}`, 'explained unsearched', ['nothing-hashed'],
    ['Part 1 is explained.', /because there is no token\. It probably has the same mistake\. Part 2 also contains the order id, account number and token\.$/],
    purchase, { variant: 'A' }],
  ['nothing, without a token', unknown, 'unexplained unsearched', undefined, [/^Part 1 differs/, /because there is no token/, limit],
    purchase, { variant: 'A', maxTries: 2000 }],
  ['the token of the request', signature('purchase'), 'matches matches', undefined, [/^The request contains merchantToken/, ...next], { ...purchase, merchantToken: token }, { variant: 'A' }],
  ['the given token, which takes precedence', signature('purchase'), 'matches matches', undefined, next, { ...purchase, merchantToken: 'its own' }],
  ['a request that is refused, and right', signature('purchase', { sid: ' ' }), 'matches matches', undefined,
    ['The service would refuse this request: sid must be a non-empty string.'], { ...purchase, sid: ' ' }],
  ['a request without an account number', signature('purchase', { account: 'undefined' }), 'matches matches', undefined,
    [/merchantAccountNumber or accountNumber is required/], { ...purchase, merchantAccountNumber: undefined }],
  ['a warning of explain', unknown, 'unexplained unexplained', undefined,
    [/^Part 1 differs/, 'The request has the key order_id, which is not read: the field is orderId.', limit], { ...purchase, order_id: '7' }, limited],
  ['an amount without a text', signature('purchase'), 'unexplained unexplained', undefined, [/Cannot convert object to primitive value/], { ...purchase, amount: { toString: 1 } }]
]
for (const [what, wrong, parts, names, hints, request = purchase, options = scheme] of open) {
  t.test(what, async t => {
    const diagnosis = diagnose(wrong, request as typeof purchase, options)
    t.equal([diagnosis.part1, diagnosis.part2].join(' '), parts)
    t.strictSame(namesIn(diagnosis), names)
    t.match(diagnosis.hints, hints)
    t.equal(diagnosis.hints.length, hints.length)
    t.equal(diagnosis.valid, parts === 'matches matches' && !/would refuse|is required/.test(String(hints)))
  })
}

t.test('a token that was signed as another field is not shown', async t => {
  const { causes } = diagnose(signature('purchase', { sid: token.toUpperCase() }), purchase, scheme)
  t.match(causes[0]!.changes[0]!.finding, 'sid was another text when it was signed; your request has "5f0c5f4e')
  t.notMatch(JSON.stringify(causes), new RegExp(token, 'i'))
})

t.test('white space, and not decimals, explains an amount with a space', async t => {
  const [change] = diagnose(signature('purchase', { amount: '12.00' }), { ...purchase, amount: ' 12.00' }, scheme).causes[0]!.changes
  t.equal(change!.interpretation, 'Perhaps your side has white space.')
})

t.test('the text of an absent field is not decorated', async t => {
  const { causes } = diagnose(signature('purchase', { amount: '1234.50\n' }), purchase, scheme)
  t.strictSame(causes.map(({ changes }) => changes.map(({ finding }) => finding)), [
    ['The hashed text had a line break at its end, or amount had.'],
    ['After amount, "\\n" was added when it was signed.']
  ])
})

t.test('the limits of the search are kept', async t => {
  const { tries, complete, hints } = diagnose(unknown, purchase, { ...scheme, maxTries: 1000 })
  t.strictSame([tries, complete], [900, false])
  t.match(hints.at(-1), limit)
  const amount = signature('purchase', { amount: 'None' })
  t.equal(judge(amount, purchase, scheme).causes.length, 0)
  t.equal(diagnose(amount, purchase, scheme).causes.length, 1)
  t.equal(diagnose(unknown, { sid: '', clientTimeStamp: '' }, { variant: 'A' }).complete, true)
})

for (const [text, fault] of [
  ['', 'it is empty.'], ['a///b///c', /this has 9/], ['refused', /this has 7/], ['///', /part 1 has 0/], ['z'.repeat(131), /131/], ['{"error":"no"}', /14/], ['{'.repeat(1_000_000), /1000000/],
  [`${part1}///${part2.slice(1)}`, 'part 2 has 63 hexadecimal digits, not 64.'],
  [signature('purchase').replace(/(?<=\/\/\/)./, 'O'), 'part 2 has "O" at position 1, which is not a hexadecimal digit.'],
  [`${'g'.repeat(8)}${'a'.repeat(56)}///${'a'.repeat(61)}`, 'part 1 has "g" at position 1, which is not a hexadecimal digit.'],
  ['[B@6d06d69c///[B@7852e922', 'part 1 is the name of an array of bytes: write its bytes in hexadecimal.'],
  ['System.Byte[]///System.Byte[]', 'part 1 is the name of an array of bytes'],
  ['[object ArrayBuffer]///[object ArrayBuffer]', 'part 1 is the name of an array of bytes'],
  [`${part1}///[object Promise]`, 'part 2 is a promise: await it.'],
  ['<sha256 _hashlib.HASH object @ 0x7f3a2c1d5e90>///b', 'part 1 is the name of an object'],
  ["b'\\xe2K'///b'\\xafZ'", 'part 1 is what Python prints for bytes: write them with hex().'],
  ['{"words":[1],"sigBytes":32}///{}', 'part 1 is a WordArray of crypto-js: write it with toString().'],
  [`-${part1.slice(1)}///${part2}`, 'part 1 is a negative number: write two hexadecimal digits for each byte, not a signed integer.'],
  ['abc', 'a signature is 64 hexadecimal digits, /// and 64 more, 131 characters; this has 3.']
] as const) {
  t.test(`${JSON.stringify(text.slice(0, 20))}, ${text.length} characters, is no signature`, async t => {
    const { valid, hints: [hint, ...others], tries } = diagnose(text, purchase, scheme)
    t.strictSame([valid, tries, others], [false, 0, []])
    t.match(hint, 'This is not a signature: ')
    t.match(hint, fault)
  })
}

/** Right digests in other forms, as programs in nine languages print them. */
for (const [what, hypothesis, wrong, clientTimeStamp = 1795770000456] of [
  ['bytes of Python with quotes and escapes', 'digest-bytes', String.raw`b"u\xae'\\\xb0\x99P\x8d\xc7\xac5i\x06\n\xcd\x975\x1d\xec\tr9\xeco\xb6IIBZ(mf"///` +
    String.raw`b'\xaa\x94\xe0\xd8\x1f\xd0\'&\x98\x93c\xa3\xa0\xed,A\xf92*\xdaxBJ\xeak?<v\xca\r\xec"'`, 1795770352557],
  ['a WordArray', 'digest-bytes', '{"words":[-498350484,-858895486,1068024447,-626982817,-876769501,-1465291784,-1758897185,-679445187],"sigBytes":32}///' +
    '{"words":[-1353006518,1804194093,115910879,706185763,-581668608,-82140515,1324494231,-1167125201],"sigBytes":32}'],
  ['lines of base64 of PHP', 'signature-white-space+signature-base64', 'ZTI0YmM2NmNjY2NlNGI4MjNmYThjMjdmZGFhMTAwNWZjYmJkOGYyM2E4YTk2\nYmY4OTcyOTViZGZkNzgwN2QzZA==\n///' +
    'YWY1YWMyNGE2Yjg5ZDEyZDA2ZThhOGRmMmExNzhhMjNkZDU0NzEwMGZiMWFh\nMjlkNGVmMjJkOTdiYTZmMTUyZg==\n'],
  ['base64 twice', 'signature-base64+digest-base64', 'NGt2R2JNek9TNEkvcU1KLzJxRUFYOHU5anlPb3FXdjRseWxiMzllQWZUMD0=///' +
    'cjFyQ1NtdUowUzBHNktqZktoZUtJOTFVY1FEN0dxS2RUdkl0bDdwdkZTOD0='],
  ['base32', 'digest-encoded', '4JF4M3GMZZFYEP5IYJ75VIIAL7F33DZDVCUWX6EXFFN57V4APU6Q====///' +
    'V5NMESTLRHIS2BXIVDPSUF4KEPOVI4IA7MNKFHKO6IWZPOTPCUXQ===='],
  ['one decimal number', 'digest-bytes', '102356586788696059504014190122569878881581069611924823490973156786998570155325///' +
    '79315105683054113165830434401018536391555707286772797755019451374500033008943'],
  ['ascii85', 'digest-encoded', 'i_.:-bg&k55H)GKg7\\LRbIrr]W2XS-QRQ.rf7894///' +
    'Y?Je8CPgFj#3`#C.Mmseh,J@oq\\l3":@^!\'\\o/<:'],
  ['signed bytes of Java with nothing between them', 'digest-bytes', '-3075-58108-52-5075-12663-88-62127-38-95095-53-67-11335-88-87107-8-1054191-33-41-12812561///' +
    '-8190-6274107-119-47456-24-88-334223-11835-35841130-526-94-9978-1445-105-701112147'],
  ['JSON of a Uint8Array', 'digest-bytes', '{"0":226,"1":75,"2":198,"3":108,"4":204,"5":206,"6":75,"7":130,"8":63,"9":168,"10":194,"11":127,"12":218,"13":161,"14":0,"15":95,"16":203,"17":189,"18":143,"19":35,"20":168,"21":169,"22":107,"23":248,"24":151,"25":41,"26":91,"27":223,"28":215,"29":128,"30":125,"31":61}///' +
    '{"0":175,"1":90,"2":194,"3":74,"4":107,"5":137,"6":209,"7":45,"8":6,"9":232,"10":168,"11":223,"12":42,"13":23,"14":138,"15":35,"16":221,"17":84,"18":113,"19":0,"20":251,"21":26,"22":162,"23":157,"24":78,"25":242,"26":45,"27":151,"28":186,"29":111,"30":21,"31":47}'],
  ['integers of 32 bits in the order of the processor', 'digest-bytes', '1824934882,-2108961076,2143463487,1593876954,596622795,-127161944,-547673705,1031635159///' +
    '1254251183,768706923,-542578682,596252458,7427293,-1650320645,-1758596530,789934010'],
  ['a description of Ruby', 'signature-labelled', '#<Digest::SHA256: e24bc66cccce4b823fa8c27fdaa1005fcbbd8f23a8a96bf897295bdfd7807d3d>///' +
    '#<Digest::SHA256: af5ac24a6b89d12d06e8a8df2a178a23dd547100fb1aa29d4ef22d97ba6f152f>'],
  ['NSData', 'signature-bytes-marked', '<e24bc66c ccce4b82 3fa8c27f daa1005f cbbd8f23 a8a96bf8 97295bdf d7807d3d>///' +
    '<af5ac24a 6b89d12d 06e8a8df 2a178a23 dd547100 fb1aa29d 4ef22d97 ba6f152f>'],
  ['a description of iOS 13', 'digest-cut', '{length = 32, bytes = 0xe24bc66cccce4b82 3fa8c27f ... d7807d3d }///' +
    '{length = 32, bytes = 0xaf5ac24a6b89d12d 06e8a8df ... ba6f152f }'],
  ['bytes that Go quotes, two of which are a letter', 'digest-bytes', '"\\xe2K\\xc6l\\xcc\\xceK\\x82?\\xa8\\xc2\\x7f\u06a1\\x00_\u02fd\\x8f#\\xa8\\xa9k\\xf8\\x97)[\\xdf\u05c0}="///' +
    '"\\xafZ\\xc2Jk\\x89\\xd1-\\x06\\xe8\\xa8\\xdf*\\x17\\x8a#\\xddTq\\x00\\xfb\\x1a\\xa2\\x9dN\\xf2-\\x97\\xbao\\x15/"'],
  ['base64 of base64 of hexadecimal digits', 'signature-base64', 'WlRJMFltTTJObU5qWTJObE5HSTRNak5tWVRoak1qZG1aR0ZoTVRBd05XWmpZbUprT0dZeU0yRTRZVGsyWW1ZNE9UY3lPVFZpWkdaa056Z3dOMlF6WkE9PQ==///' +
    'WVdZMVlXTXlOR0UyWWpnNVpERXlaREEyWlRoaE9HUm1NbUV4TnpoaE1qTmtaRFUwTnpFd01HWmlNV0ZoTWpsa05HVm1NakprT1RkaVlUWm1NVFV5Wmc9PQ=='],
  ['uuencode', 'digest-encoded', '@XDO&;,S.2X(_J,)_VJ$`7\\N]CR.HJ6OXERE;W]>`?3T`\n///' +
    '@KUK"2FN)T2T&Z*C?*A>*(]U4<0#[&J*=3O(ME[IO%2\\`\n'],
  ['quoted-printable', 'digest-bytes', '=E2K=C6l=CC=CEK=82?=A8=C2=7F=DA=A1=00_=CB=BD=8F#=A8=A9k=F8=97)[=DF=D7=80}=\n=3D=\n///' +
    '=AFZ=C2Jk=89=D1-=06=E8=A8=DF*=17=8A#=DDTq=00=FB=1A=A2=9DN=F2-=97=BAo=15/=\n'],
  ['bytes without leading zeros, as Go prints an array', 'digest-unpadded', '[32]uint8{0xe2, 0x4b, 0xc6, 0x6c, 0xcc, 0xce, 0x4b, 0x82, 0x3f, 0xa8, 0xc2, 0x7f, 0xda, 0xa1, 0x0, 0x5f, 0xcb, 0xbd, 0x8f, 0x23, 0xa8, 0xa9, 0x6b, 0xf8, 0x97, 0x29, 0x5b, 0xdf, 0xd7, 0x80, 0x7d, 0x3d}///' +
    '[32]uint8{0xaf, 0x5a, 0xc2, 0x4a, 0x6b, 0x89, 0xd1, 0x2d, 0x6, 0xe8, 0xa8, 0xdf, 0x2a, 0x17, 0x8a, 0x23, 0xdd, 0x54, 0x71, 0x0, 0xfb, 0x1a, 0xa2, 0x9d, 0x4e, 0xf2, 0x2d, 0x97, 0xba, 0x6f, 0x15, 0x2f}'],
  ['a dump', 'digest-bytes', '00000000  e2 4b c6 6c cc ce 4b 82  3f a8 c2 7f da a1 00 5f  |.K.l..K.?......_|\n00000010  cb bd 8f 23 a8 a9 6b f8  97 29 5b df d7 80 7d 3d  |...#..k..)[...}=|\n///' +
    '00000000  af 5a c2 4a 6b 89 d1 2d  06 e8 a8 df 2a 17 8a 23  |.Z.Jk..-....*..#|\n00000010  dd 54 71 00 fb 1a a2 9d  4e f2 2d 97 ba 6f 15 2f  |.Tq.....N.-..o./|\n'],
  ['characters of UTF-8, which bytes are not', 'digest-bytes', '\ufffdK\ufffdl\ufffd\ufffdK\ufffd?\ufffd\ufffd\u007f\u06a1\u0000_\u02fd\ufffd#\ufffd\ufffdk\ufffd\ufffd)[\ufffd\u05c0}=///' +
    '\ufffdZ\ufffdJk\ufffd\ufffd-\u0006\ufffd\ufffd*\u0017\ufffd#\ufffdTq\u0000\ufffd\u001a\ufffd\ufffdN\ufffd-\ufffd\ufffdo\u0015/'],
  ['bytes in reverse', 'digest-bytes', '3d7d80d7df5b2997f86ba9a8238fbdcb5f00a1da7fc2a83f824bcecc6cc64be2///' +
    '2f156fba972df24e9da21afb007154dd238a172adfa8e8062dd1896b4ac25aaf'],
  ['one half in a list, the other right', 'digest-bytes', '[226, 75, 198, 108, 204, 206, 75, 130, 63, 168, 194, 127, 218, 161, 0, 95, 203, 189, 143, 35, 168, 169, 107, 248, 151, 41, 91, 223, 215, 128, 125, 61]///' +
    'af5ac24a6b89d12d06e8a8df2a178a23dd547100fb1aa29d4ef22d97ba6f152f']
] as ReadonlyArray<readonly [string, string, string, number?]>) {
  t.test(`right digests as ${what}`, async t => {
    const request = {
      operationType: 'purchase', amount: '245.50', merchantAccountNumber: '318804', orderId: 'ORDER-7731', sid: '3c1e9a52-7b0d-4f6e-8a21-5d9c0e7f4b13', clientTimeStamp
    }
    const diagnosis = diagnose(wrong, request, { variant: 'A', merchantToken: 'kV3w9QmT+7rXz/42LbNc8HsYfPdJ6aGe' })
    t.match(diagnosis, { part1: 'matches', part2: 'matches' })
    t.strictSame(namesIn(diagnosis), hypothesis.split('+'))
  })
}

const noText = { toString: 1, valueOf: 1 }

t.test('values without a text in fields that are not signed', async t => {
  const request = { ...purchase, accountNumber: noText }
  t.equal(diagnose(signature('purchase'), request, scheme).valid, true)
  const unused = {
    ...purchase, transactionFCRN: noText, transactionId: noText, idType: noText, operationType: noText
  }
  const own = signature('purchase', { reference: 'Order-12', order: '' })
  t.equal(diagnose(own, unused, variantB).valid, true)
  t.equal(diagnose(unknown, unused, { ...limited, variant: 'B' }).part1, 'unexplained')
  const otherRequest = { ...purchase, orderId: noText, amount: 10n, sid: 'another' }
  t.equal(diagnose(signature('purchase', { sid: 'another' }), purchase, { ...scheme, otherRequest }).causes.length, 0)
})

t.test('if operations have the same signature, the operation of the other request is first', async t => {
  const ids = { transactionFCRN: 'F-1', transactionId: 'F-1' }
  const request = { ...ids, sid: 'abc', clientTimeStamp: 1709912345678, operationType: 'purchase', merchantAccountNumber: '102551' }
  const signed = signature('purchase', { sid: 'abc', amount: '', reference: 'F-1', order: 'null' })
  for (const operationType of ['refund', 'void', 'inquiry']) {
    const { causes } = diagnose(signed, request, { ...scheme, otherRequest: { ...request, operationType } })
    t.equal(causes[0]!.changes[0]!.finding, `The terms were those of ${operationType === 'inquiry' ? 'an' : 'a'} ${operationType}; your request is a purchase.`)
    t.match(causes[0]!.changes[0]!.interpretation, /^Perhaps the signer read another operationType/)
  }
})

t.test('many unsigned fields and many other tokens are searched', async t => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, index]))
  const otherTokens = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`token${index}`, `its text ${index}`]))
  const otherRequest = { ...purchase, ...unknown }
  const { causes } = diagnose(signature('purchase', { token: 'its text 999' }), { ...purchase, ...unknown }, { ...scheme, otherRequest, otherTokens })
  t.match(causes[0]!.changes[0]!.interpretation, 'the token named token999')
})

t.test('long texts count as several texts, which limits the time', async t => {
  const request = { ...purchase, orderId: 'x'.repeat(50_000), amount: '9'.repeat(3000) }
  const { tries, complete } = diagnose(unknown, request, { ...scheme, maxTries: 10_000 })
  t.equal(complete, false)
  t.ok(tries < 2000, `${tries} tries`)
})

for (const [what, wrong] of [
  ['letters in an amount', { amount: `1${'a'.repeat(5000)}1` }],
  ['digits of a time stamp', { clientTimeStamp: '7'.repeat(50_000) }],
  ['characters of several bytes', { sid: '€'.repeat(20_000) }]
] as const) {
  t.test(`many ${what} are fast`, async t => {
    const { tries, complete } = diagnose(unknown, { ...purchase, ...wrong }, { ...scheme, maxTries: 2000 })
    t.ok(tries <= 2000)
    t.equal(complete, false)
  })
}

t.test('an unexpected error is rethrown', async t => {
  const faulty = { ...purchase, get amount (): string { throw new RangeError('not ours') } }
  t.throws(() => diagnose(unknown, faulty, scheme), new RangeError('not ours'))
})

t.test('misuse throws', async t => {
  t.throws(() => diagnose(7 as never, purchase, scheme), { code: 'ERR_SIGNATURE' })
  t.throws(() => diagnose('', null as never, scheme), { code: 'ERR_REQUEST' })
  t.throws(() => diagnose('', purchase, { ...scheme, merchantToken: '' }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', purchase, { ...scheme, otherTokens: { none: '' } }), { code: 'ERR_MERCHANT_TOKEN' })
  t.throws(() => diagnose('', purchase, { ...scheme, variant: 'C' as never }), { code: 'ERR_VARIANT' })
  t.throws(() => diagnose('', purchase, undefined as never), { code: 'ERR_VARIANT' })
  t.throws(() => diagnose('', purchase, { ...scheme, otherRequest: null as never }), { code: 'ERR_REQUEST' })
  for (const limits of [{ maxTries: 0 }, { maxTries: Number.NaN }]) {
    t.throws(() => diagnose('', purchase, { ...scheme, ...limits }), {
      name: 'UsageError', code: 'ERR_LIMIT', message: 'maxTries must be an integer above 0'
    })
  }
})

t.test('a signature that contains the token has a warning', async t => {
  const appended = signed(textsOf('purchase', purchase, token), terms => Buffer.from(terms.join('')).toString('hex') + digest(''))
  const plain = `${digest('1')}///${Buffer.from(token).toString('base64')}`
  for (const text of [appended, plain, `${token}///${digest('1')}`]) {
    const { hints } = diagnose(text, purchase, { ...scheme, maxTries: 9 })
    t.equal(hints[0], 'The signature contains the merchant token. The token is published: replace it now.')
    t.notMatch(JSON.stringify(hints), token)
  }
})

t.test('the sid of another request of the file is found, beside a request that cannot be read', async t => {
  const other = { ...purchase, sid: 'the-previous-sid' }
  const unreadable = { ...purchase, amount: JSON.parse('['.repeat(200) + ']'.repeat(200)) }
  const { causes } = diagnoseInFile(signatureOf(textsOf('purchase', other, token)), purchase, { ...scheme, otherRequests: [unreadable, other] })
  t.strictSame(causes[0]?.changes.map(({ hypothesis }) => hypothesis), ['other-request'])
})

t.test('quotes that only the sender has', async t => {
  const quoted = diagnose(signature('purchase'), { ...purchase, orderId: `"${String(purchase.orderId)}"` }, scheme)
  t.match(quoted.causes[0]?.changes, [{ hypothesis: 'identifier-quotes', fix: /^Remove the quotes on your side/ }])
})

t.test('a variable that requests share is found in a file of many, before the token is doubted', async t => {
  const [one, two] = [1, 2].map(index => ({
    ...purchase, sid: `sid-${index}`, orderId: `Order-${index}`, amount: `${index}0.50`, clientTimeStamp: 1709912345678 + index
  })) as [typeof purchase, typeof purchase]
  const [first, second] = [one, two].map(request => textsOf('purchase', request, token)) as [typeof usual, typeof usual]
  const halves = (part1: typeof usual, part2: typeof usual): string =>
    `${signatureOf(part1).slice(0, 64)}///${signatureOf(part2).slice(67)}`
  const right = signatureOf(second)
  const causeOf = (wrong: string, limits = {}) => {
    const signed = [{ request: one, signatures: [wrong] }, { request: two, signatures: [right] }]
    const [group] = diagnoseAll(signed, { ...scheme, ...limits }).groups
    const changes = group!.changes.map(({ hypothesis, finding }) => [hypothesis, finding])
    return { changes, diagnosis: group!.failures[0]!.diagnosis }
  }
  for (const [part1, part2, finding] of [
    [first, second, 'Part 2 has clientTimeStamp, orderId, amount of another request in the file, sid "sid-2".'],
    [first, { ...first, order: 'Order-2', amount: '20.50' }, 'Part 2 has orderId, amount of another request in the file, sid "sid-2".'],
    [{ ...first, amount: '20.50' }, second, 'Part 1 has amount; part 2 has clientTimeStamp, orderId, amount of another request in the file, sid "sid-2".']
  ] as const) {
    const { changes, diagnosis } = causeOf(halves(part1, part2))
    t.strictSame(changes, [['shared-variable', finding]])
    t.strictSame([diagnosis.part1, diagnosis.part2, diagnosis.hints, diagnosis.tries], ['explained', 'explained', [], 0])
    t.equal(diagnosis.causes[0]!.changes[0]!.interpretation, 'Perhaps a variable is shared by requests that are signed at the same time.')
  }
  const unknownToken = causeOf(halves(first, { ...second, token: 'of nobody' }), { maxTries: 20_000 })
  t.strictSame(unknownToken.changes, [])
  t.match(unknownToken.diagnosis.hints[1], /compare the token/)
})
