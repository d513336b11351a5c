import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { customSigner } from '../../support/custom-signer.js'
import type { Environment } from '../../../src/configuration/settings.js'
import { isReadableByAll, TokenError } from '../../../src/token/token-file.js'
import { testApp } from '../../support/app.js'

process.umask(0o077) // a token file that others can read causes a warning

const request = {
  method: 'POST',
  url: '/api/generate-signature',
  payload: { accountNumber: '1', sid: 's', clientTimeStamp: 1 }
} as const

/** Part 2 for each token, which shows the token that signed: `printf '%s' 1nullTOKEN1 | sha256sum`. */
const part2 = {
  'from-file': '3935734bbd1026568b54e6b2f6e8b9d5f121aaa191555d142a6ff19495ba9743',
  'from-file ': 'f4001fa4ab2d66a1610d1b56e1cc5fa1a5dc94461696da519b71d8b8b86a7c23',
  ' from-file': '753fa8206eb48408327c2deb9f10194e5e844dcddf85242315bd46417f71c6e4',
  'from-file\r': '7161b512ed397ae6c952d89f05f40da42d06b921574114dd5876a914ad36aff9',
  'fir\nst': 'ec480f311bfc9482c1ea76a4a059a5c645a9435308ca26e398fbb9e9efc2ad0c',
  '\nfirst': '231194c91a388cac5ab3de34f2002a52e6af7e5158f8b1a23f44f5ca6284ebb8',
  'from-file\n': 'd54c3abdcfa630300a0fb91b5ce93ea84a96a8e5cf481ea289aaf0aa77b7e149',
  'töken-€': 'a17b1a1b16bb4fe81c00cafb5a1ba7c2800b9a1893478bd9b8cfed89dd7fc548',
  'from-variable': '51a920b8cb98b75716a2508731a0b96838d46fc7fa6a6fde1c043bf5ca5ecb15',
  ' "quoted" ': '6898a10292ba6528c1901e67b57f29fce880446c282dae24341682b77f89c020',
  'development-only-token': '8c37de3b37d08a757275a8e5adf7a339880ae4da5e2352fef288e55300a348c3'
}

async function faultOf (t: Test, config: Partial<Environment>): Promise<unknown> {
  const { app } = testApp(t, { config: { ...config } })
  try {
    await app.ready()
    return undefined
  } catch (error) {
    if (error instanceof TokenError && error.code === 'ERR_TOKEN') return error.message
    throw error
  }
}

async function signsWith (t: Test, config: Partial<Environment>, token: keyof typeof part2): Promise<void> {
  const { app } = testApp(t, { config })
  const response = await app.inject(request)
  t.equal(response.json().signature.slice(67), part2[token])
}

const noToken = { MERCHANT_TOKEN: undefined } as unknown as Partial<Environment>

for (const [content, token] of [
  ['from-file', 'from-file'],
  ['from-file\n', 'from-file'],
  ['from-file\n\n', 'from-file\n'],
  ['from-file\r\n', 'from-file\r'],
  ['fir\nst', 'fir\nst'],
  ['fir\nst\n', 'fir\nst'],
  ['\nfirst', '\nfirst'],
  ['from-file \n', 'from-file '],
  [' from-file', ' from-file'],
  ['töken-€\n', 'töken-€']
] as const) {
  t.test(`a file with ${JSON.stringify(content)}`, async t => {
    const path = join(t.testdir({ token: content }), 'token')
    await signsWith(t, { ...noToken, MERCHANT_TOKEN_FILE: path }, token)
    const { app } = testApp(t, { config: { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' } })
    await app.ready()
    t.equal(app.merchantToken.source, `MERCHANT_TOKEN_FILE (${path})`)
  })
}

for (const [why, content] of [['empty', ''], ['empty', '\n'], ['not UTF-8 text', Buffer.from([0x74, 0xff])]] as const) {
  t.test(`a file with ${JSON.stringify(content)} is refused`, async t => {
    const path = join(t.testdir({ token: content as string }), 'token')
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }), `MERCHANT_TOKEN_FILE is "${path}", which is ${why}`)
  })
}

t.test('a file and a token', async t => {
  const path = join(t.testdir({ token: 'from-file' }), 'token')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'from-variable', MERCHANT_TOKEN_FILE: path }),
    'MERCHANT_TOKEN and MERCHANT_TOKEN_FILE are both set; set one of them')
})

t.test('MERCHANT_TOKEN is used unchanged', async t => {
  await signsWith(t, { MERCHANT_TOKEN: 'from-variable' }, 'from-variable')
  await signsWith(t, { MERCHANT_TOKEN: ' "quoted" ' }, ' "quoted" ')
  const { app } = testApp(t, { config: { MERCHANT_TOKEN: 'from-variable', NODE_ENV: 'production' } })
  await app.ready()
  t.equal(app.merchantToken.source, 'MERCHANT_TOKEN')
})

const refusal = 'NODE_ENV=production refuses the development token: set MERCHANT_TOKEN to the merchant\'s token, or ' +
  'MERCHANT_TOKEN_FILE to the path of a file that holds it'

t.test('the development default', async t => {
  await signsWith(t, noToken, 'development-only-token')
  const { app } = testApp(t, { config: noToken })
  await app.ready()
  t.equal(app.merchantToken.source, 'the development default')
  t.equal(await faultOf(t, { ...noToken, NODE_ENV: 'production' }), refusal)
  t.equal(await faultOf(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'production' }), refusal)
  const path = join(t.testdir({ token: 'development-only-token\n' }), 'token')
  t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path, NODE_ENV: 'production' }), refusal)
})

t.test('an injected signer needs no token', async t => {
  const { app } = testApp(t, {
    config: { ...noToken, NODE_ENV: 'production' },
    signer: customSigner('B', () => 'signed')
  })
  t.equal((await app.inject('/health')).json().variant, 'B')
  t.equal(app.merchantToken.source, '')
})

t.test('a path that may be the token itself is not shown', async t => {
  t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: 'tK7-mQ2xV9/bR4+wZ1' }),
    'MERCHANT_TOKEN_FILE cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself')
  t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: '.../tK7-mQ2xV9' }),
    'MERCHANT_TOKEN_FILE cannot be read (ENOENT): it must be the path of a file, such as ./token; what was given is not shown, since it may be the secret itself')
  for (const path of ['./nowhere', '../nowhere', '/nowhere']) {
    t.equal(await faultOf(t, { ...noToken, MERCHANT_TOKEN_FILE: path }),
      `MERCHANT_TOKEN_FILE is "${path}", which cannot be read (ENOENT)`)
  }
})

t.test('STRICT and a policy refuse a token of digits', async t => {
  const digits = '7041936285530174'
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, STRICT: true }), 'STRICT needs a token that has more than digits and points')
  t.equal(await faultOf(t, { MERCHANT_TOKEN: digits, POLICY_FILE: 'policy.json' }),
    'STRICT needs a token that has more than digits and points')
  for (const [MERCHANT_TOKEN, STRICT] of [[digits, false], [`${digits}x`, true], ['٧٠٤١٩٣٦٢', true]] as const) {
    t.equal(await faultOf(t, { MERCHANT_TOKEN, STRICT }), undefined)
  }
})

t.test('each warning about a token or its file is one line', async t => {
  const development = 'the merchant token is the development token, which everybody knows: set MERCHANT_TOKEN or MERCHANT_TOKEN_FILE'
  const readable = 'MERCHANT_TOKEN_FILE can be read by every user of this machine: chmod o-r; in Kubernetes, ' +
    'defaultMode: 0440 and an fsGroup'

  /** Returns the log of the start. */
  async function said (t: Test, config: Partial<Environment>): Promise<string[]> {
    const { app, log } = testApp(t, { config: { NODE_ENV: '', ...config } })
    await app.ready()
    return log().split('\n').slice(0, -1).map(line => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)
  }

  t.strictSame(await said(t, noToken), [`40 ${development}`])
  t.strictSame(await said(t, { MERCHANT_TOKEN: 'development-only-token', NODE_ENV: 'development' }), [`40 ${development}`])
  t.strictSame(await said(t, { ...noToken, NODE_ENV: 'test' }), [])

  const path = join(t.testdir({ token: 'development-only-token' }), 'token')
  const file = { ...noToken, MERCHANT_TOKEN_FILE: path }
  t.strictSame(await said(t, file), [`40 ${development}`])
  chmodSync(path, 0o444)
  t.strictSame(await said(t, file), [`40 ${development}`, `40 ${readable}`])
  t.strictSame(await said(t, { ...file, NODE_ENV: 'test' }), [`40 ${readable}`])

  const { app, log } = testApp(t, { config: file })
  await app.ready()
  for (const [mode, token, expected] of [[0o640, 'a-first-token-of-some-length', false], [0o604, 'another-token-of-some-length', true]] as const) {
    chmodSync(path, 0o600)
    writeFileSync(path, token)
    chmodSync(path, mode)
    const before = log().length
    await app.watchedFiles[0]?.reload()
    t.equal(log().slice(before).includes(readable), expected, mode.toString(8))
  }
})

t.test('a missing file causes no warning about its permissions', async t => {
  t.equal(await isReadableByAll(join(t.testdir(), 'nowhere')), false)
})
