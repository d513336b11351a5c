/* eslint-disable no-template-curly-in-string, max-len -- programs of other languages, as people write them */
import { spawnSync } from 'node:child_process'
import { pathOf } from './installed.js'
import { requests, token } from './wrong-signatures.js'

/** A program with a common mistake, and the hypotheses of the cause: `a|b` is either, `a+b` is both. */
interface Program {
  readonly language: Language
  readonly expected: string
  readonly code: string
  /** Fields of the request that differ from the usual purchase. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The token of the signer and of diagnose. Default: the usual token. */
  readonly token?: string
}

/** Command of each language, and the beginning of its programs: the values of the request, and the signer's token. */
const languages = {
  php: ['php', (code: string) => ['-r', `$r = json_decode(getenv('REQUEST'), true);
    $ts = $r['clientTimeStamp']; $sid = $r['sid']; $amount = $r['amount']; $order = $r['orderId'] ?? null;
    $account = $r['merchantAccountNumber']; $token = getenv('TOKEN');
    function h($text) { return hash('sha256', $text); }\n${code}`]],
  python: ['python3', (code: string) => ['-c', `import json, os, hashlib, datetime, base64
r = json.loads(os.environ['REQUEST']); token = os.environ['TOKEN']
ts, sid, amount, order, account = r['clientTimeStamp'], r['sid'], r['amount'], r.get('orderId'), r['merchantAccountNumber']
def h(text): return hashlib.sha256(text.encode()).hexdigest()
${code}`]],
  javascript: ['node', (code: string) => ['-e', `const { createHash } = require('node:crypto')
    const r = JSON.parse(process.env.REQUEST), token = process.env.TOKEN
    const { clientTimeStamp: ts, sid, amount, orderId: order, merchantAccountNumber: account } = r
    const h = text => createHash('sha256').update(text).digest('hex')\n${code}`]],
  shell: ['bash', (code: string) => ['-c', `h() { printf '%s' "$1" | sha256sum | cut -d' ' -f1; }\n${code}`]]
} as const satisfies Record<string, readonly [string, (code: string) => string[]]>

type Language = keyof typeof languages

const all = (language: Language, rows: ReadonlyArray<readonly [string, string, Program['fields']?, string?]>): Program[] =>
  rows.map(([expected, code, fields = {}, token]) => ({ language, expected, code, fields, ...token === undefined ? {} : { token } }))

/** Programs that were written before the hypotheses. Add programs; do not adapt a program to diagnose. */
export const programs: readonly Program[] = [
  ...all('php', [
    ['amount-separators', '$a = number_format($amount, 2); echo h($ts.$sid.$a).\'///\'.h($ts.$order.$token.$account.$a);'],
    ['amount-decimals|amount-as-number', '$a = floatval($amount); echo h($ts.$sid.$a).\'///\'.h($ts.$order.$token.$account.$a);'],
    ['timestamp-unit', '$t = intdiv($ts, 1000); echo h($t.$sid.$amount).\'///\'.h($t.$order.$token.$account.$amount);'],
    ['digest-base64', 'function b($t) { return base64_encode(hash(\'sha256\', $t, true)); } echo b($ts.$sid.$amount).\'///\'.b($ts.$order.$token.$account.$amount);'],
    ['token-newline', '$f = tmpfile(); fwrite($f, $token."\\n"); rewind($f); $k = fgets($f); echo h($ts.$sid.$amount).\'///\'.h($ts.$order.$k.$account.$amount);'],
    ['terms-separated', 'echo h(implode(\'|\', [$ts, $sid, $amount, \'\'])).\'///\'.h(implode(\'|\', [$ts, $order, $token, $account, $amount, \'\']));'],
    ['hmac', 'echo hash_hmac(\'sha256\', $ts.$sid.$amount, $token).\'///\'.hash_hmac(\'sha256\', $ts.$order.$account.$amount, $token);'],
    ['digest-upper-case', 'echo strtoupper(h($ts.$sid.$amount)).\'///\'.strtoupper(h($ts.$order.$token.$account.$amount));'],
    ['identifier-absent', 'echo h($ts.$sid.$amount).\'///\'.h($ts.$order.$token.$account.$amount);', { orderId: undefined }],
    ['terms-as-json', 'echo h(json_encode([\'clientTimeStamp\' => $ts, \'sid\' => $sid, \'amount\' => $amount])).\'///\'.h($ts.$order.$token.$account.$amount);'],
    ['amount-minor-units', '$a = (int) ($amount * 100); echo h($ts.$sid.$a).\'///\'.h($ts.$order.$token.$account.$a);', { amount: '19.99' }],
    ['identifier-html', '$o = htmlspecialchars($order); echo h($ts.$sid.$amount).\'///\'.h($ts.$o.$token.$account.$amount);', { orderId: "O'Neill & Co" }],
    ['hashed-twice', 'echo h(h($ts.$sid.$amount)).\'///\'.h(h($ts.$order.$token.$account.$amount));'],
    ['digest-algorithm', 'echo md5($ts.$sid.$amount).\'///\'.md5($ts.$order.$token.$account.$amount);'],
    ['identifier-escaped', '$o = addslashes($order); echo h($ts.$sid.$amount).\'///\'.h($ts.$o.$token.$account.$amount);', { orderId: "O'Neill-7" }],
    ['terms-swapped', 'echo h($ts.$sid.$amount).\'///\'.h($ts.$account.$token.$order.$amount);'],
    ['terms-as-pairs', `$p = ['clientTimeStamp' => $ts, 'sid' => $sid, 'amount' => $amount];
      $q = ['clientTimeStamp' => $ts, 'orderId' => $order, 'merchantToken' => $token, 'merchantAccountNumber' => $account, 'amount' => $amount];
      echo h(http_build_query($p)).'///'.h(http_build_query($q));`],
    ['identifier-plus', '$o = urlencode($order); echo h($ts.$sid.$amount).\'///\'.h($ts.$o.$token.$account.$amount);', { orderId: 'A 17/2' }],
    ['amount-another-value', '$a = number_format($amount * 1.14, 2, \'.\', \'\'); echo h($ts.$sid.$a).\'///\'.h($ts.$order.$token.$account.$a);', { amount: '100.00' }],
    ['terms-wrapped', '$q = fn ($v) => "\'".$v."\'"; echo h($q($ts).$q($sid).$q($amount)).\'///\'.h($q($ts).$q($order).$q($token).$q($account).$q($amount));']
  ]),
  ...all('python', [
    ['amount-decimals|amount-as-number', "a = str(float(amount)); print(h(f'{ts}{sid}{a}') + '///' + h(f'{ts}{order}{token}{account}{a}'))"],
    ['timestamp-iso', "t = datetime.datetime.fromtimestamp(ts // 1000, datetime.timezone.utc).isoformat(); print(h(f'{t}{sid}{amount}') + '///' + h(f'{t}{order}{token}{account}{amount}'))"],
    ['timestamp-as-number', "t = ts / 1000 * 1000; print(h(f'{t}{sid}{amount}') + '///' + h(f'{t}{order}{token}{account}{amount}'))"],
    ['amount-separators', "a = f'{float(amount):,.2f}'; print(h(f'{ts}{sid}{a}') + '///' + h(f'{ts}{order}{token}{account}{a}'))"],
    ['token-wrapped', "print(h(f'{ts}{sid}{amount}') + '///' + h(f'{ts}{order}{token.encode()}{account}{amount}'))"],
    ['digest-bytes', "d = lambda text: list(hashlib.sha256(text.encode()).digest()); print(str(d(f'{ts}{sid}{amount}')) + '///' + str(d(f'{ts}{order}{token}{account}{amount}')))"],
    ['digest-unpadded', "d = lambda text: ''.join('%x' % b for b in hashlib.sha256(text.encode()).digest()); print(d(f'{ts}{sid}{amount}') + '///' + d(f'{ts}{order}{token}{account}{amount}'))"],
    ['terms-wrapped', "j = lambda *v: ''.join(map(repr, v)); print(h(j(str(ts), sid, amount)) + '///' + h(j(str(ts), order, token, account, amount)))"],
    ['identifier-absent', "print(h(f'{ts}{sid}{amount}') + '///' + h(f'{ts}{order}{token}{account}{amount}'))", { orderId: undefined }],
    ['terms-as-json', "j = lambda **v: json.dumps(v); print(h(j(clientTimeStamp=ts, sid=sid, amount=amount)) + '///' + h(j(clientTimeStamp=ts, orderId=order, merchantToken=token, accountNumber=account, amount=amount)))"],
    ['text-encoding', "d = lambda text: hashlib.sha256(text.encode('utf-16-le')).hexdigest(); print(d(f'{ts}{sid}{amount}') + '///' + d(f'{ts}{order}{token}{account}{amount}'))"],
    ['digest-hex-twice', "d = lambda text: h(text).encode().hex(); print(d(f'{ts}{sid}{amount}') + '///' + d(f'{ts}{order}{token}{account}{amount}'))"],
    ['identifier-another-value', "o = int(order) - 1; print(h(f'{ts}{sid}{amount}') + '///' + h(f'{ts}{o}{token}{account}{amount}'))", { orderId: '100731' }],
    ['timestamp-time-zone', "t = ts + 2 * 3600 * 1000; print(h(f'{t}{sid}{amount}') + '///' + h(f'{t}{order}{token}{account}{amount}'))"],
    ['signature-separator', "print(h(f'{ts}{sid}{amount}') + '//' + h(f'{ts}{order}{token}{account}{amount}'))"],
    ['token-quotes', "k = 'TOKEN=\"' + token + '\"'; k = k.split('=', 1)[1]; print(h(f'{ts}{sid}{amount}') + '///' + h(f'{ts}{order}{k}{account}{amount}'))"],
    ['digest-algorithm', "d = lambda text: hashlib.sha512(text.encode()).hexdigest()[:64]; print(d(f'{ts}{sid}{amount}') + '///' + d(f'{ts}{order}{token}{account}{amount}'))"],
    ['timestamp-unit', "t = ts * 1000 + 678; print(h(f'{t}{sid}{amount}') + '///' + h(f'{t}{order}{token}{account}{amount}'))", { clientTimeStamp: 1709912345 }],
    ['sid-case', "s = sid.upper(); print(h(f'{ts}{s}{amount}') + '///' + h(f'{ts}{order}{token}{account}{amount}'))"],
    ['token-in-json', "k = json.dumps({'MERCHANT_TOKEN': token}); print(h(f'{ts}{sid}{amount}') + '///' + h(f'{ts}{order}{k}{account}{amount}'))"],
    ['sid-dashes', "import uuid; s = uuid.UUID(sid).hex; print(h(f'{ts}{s}{amount}') + '///' + h(f'{ts}{order}{token}{account}{amount}'))"],
    ['one-hash', "print(h(f'{ts}{sid}{amount}' + f'{ts}{order}{token}{account}{amount}'))"]
  ]),
  ...all('javascript', [
    ['amount-as-number|amount-decimals', 'const a = Number(amount); console.log(h(`${ts}${sid}${a}`) + "///" + h(`${ts}${order}${token}${account}${a}`))'],
    ['timestamp-unit', 'const t = Math.floor(ts / 1000); console.log(h(`${t}${sid}${amount}`) + "///" + h(`${t}${order}${token}${account}${amount}`))'],
    ['timestamp-taken-twice|timestamp-another-value', 'const t = ts + 37; console.log(h(`${t}${sid}${amount}`) + "///" + h(`${t}${order}${token}${account}${amount}`))'],
    ['terms-separated', `console.log(h(\`
    \${ts}
    \${sid}
    \${amount}
  \`) + '///' + h(\`
    \${ts}
    \${order}
    \${token}
    \${account}
    \${amount}
  \`))`],
    ['terms-added-up', 'console.log(h(ts + sid + amount) + "///" + h(ts + Number(order) + token + account + amount))', { orderId: '100731' }],
    ['identifier-absent', 'console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${ts}${order}${token}${account}${amount}`))', { orderId: undefined }],
    ['digest-unpadded', 'const d = text => [...createHash("sha256").update(text).digest()].map(b => b.toString(16)).join(""); console.log(d(`${ts}${sid}${amount}`) + "///" + d(`${ts}${order}${token}${account}${amount}`))'],
    ['digest-bytes', 'const d = text => String(new Uint8Array(createHash("sha256").update(text).digest())); console.log(d(`${ts}${sid}${amount}`) + "///" + d(`${ts}${order}${token}${account}${amount}`))'],
    ['amount-currency', 'const a = new Intl.NumberFormat("ar-EG", { style: "currency", currency: "EGP" }).format(amount); console.log(h(`${ts}${sid}${a}`) + "///" + h(`${ts}${order}${token}${account}${a}`))'],
    ['token-missing', 'const k = Promise.resolve(token); console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${ts}${order}${k}${account}${amount}`))'],
    ['identifier-percent-encoding', 'const o = encodeURIComponent(order); console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${ts}${o}${token}${account}${amount}`))', { orderId: 'A/17' }],
    ['identifier-quotes|identifier-json', 'const o = JSON.stringify(order); console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${ts}${o}${token}${account}${amount}`))'],
    ['amount-decimals', 'const a = Number(amount).toFixed(1); console.log(h(`${ts}${sid}${a}`) + "///" + h(`${ts}${order}${token}${account}${a}`))', { amount: '20.00' }],
    ['term-order', 'console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${token}${ts}${order}${account}${amount}`))'],
    ['signature-separator', 'console.log(h(`${ts}${sid}${amount}`) + h(`${ts}${order}${token}${account}${amount}`))'],
    ['terms-as-json', 'const { merchantToken, ...body } = r; console.log(h(JSON.stringify([ts, sid, amount])) + "///" + h(`${ts}${order}${token}${account}${amount}`))'],
    ['identifier-marks', 'const o = `\\u200f${order}`; console.log(h(`${ts}${sid}${amount}`) + "///" + h(`${ts}${o}${token}${account}${amount}`))'],
    ['amount-separators', 'const a = Number(amount).toLocaleString("en-US", { minimumFractionDigits: 2 }); console.log(h(`${ts}${sid}${a}`) + "///" + h(`${ts}${order}${token}${account}${a}`))']
  ]),
  ...all('shell', [
    ['text-ends', 'echo "$(echo "$TS$SID$AMOUNT" | sha256sum | cut -d" " -f1)///$(echo "$TS$ORDER$TOKEN$ACCOUNT$AMOUNT" | sha256sum | cut -d" " -f1)"'],
    ['signature-of-tool', 'echo "$(printf %s "$TS$SID$AMOUNT" | sha256sum)///$(printf %s "$TS$ORDER$TOKEN$ACCOUNT$AMOUNT" | sha256sum)"'],
    ['signature-of-tool', 'echo "$(printf %s "$TS$SID$AMOUNT" | openssl dgst -sha256)///$(printf %s "$TS$ORDER$TOKEN$ACCOUNT$AMOUNT" | openssl dgst -sha256)"'],
    ['timestamp-unit', 'T=${TS:0:10}; echo "$(h "$T$SID$AMOUNT")///$(h "$T$ORDER$TOKEN$ACCOUNT$AMOUNT")"'],
    ['timestamp-unit|timestamp-directive', 'T=${TS:0:10}%3N; echo "$(h "$T$SID$AMOUNT")///$(h "$T$ORDER$TOKEN$ACCOUNT$AMOUNT")"'],
    ['token-cut-by-configuration', 'eval "KEY=$TOKEN"; echo "$(h "$TS$SID$AMOUNT")///$(h "$TS$ORDER$KEY$ACCOUNT$AMOUNT")"', {}, 's3cret$dollar-token'],
    ['identifier-absent', 'echo "$(h "$TS$SID$AMOUNT")///$(h "$TS$ORDER$TOKEN$ACCOUNT$AMOUNT")"', { orderId: undefined }],
    ['account-number-leading-zeros', 'A=$(( 10#$ACCOUNT )); echo "$(h "$TS$SID$AMOUNT")///$(h "$TS$ORDER$TOKEN$A$AMOUNT")"', { merchantAccountNumber: '00102551' }],
    ['sid-newline|sid-white-space', 'S=$(printf "%s\\nx" "$SID"); S=${S%x}; echo "$(h "$TS$S$AMOUNT")///$(h "$TS$ORDER$TOKEN$ACCOUNT$AMOUNT")"']
  ])
]

/** True if the command of a language is installed. */
export const isInstalled = (language: Language): boolean => pathOf(languages[language][0]) !== undefined

/** Runs a program. Returns the printed signature, the request, and the options for diagnose. */
export function runProgram ({ language, code, fields, token: own = token }: Program) {
  const request = { ...requests.purchase, ...fields }
  const [command, argumentsOf] = languages[language]
  const fieldsOfShell = { TS: request.clientTimeStamp, SID: request.sid, AMOUNT: request.amount, ORDER: request.orderId ?? '', ACCOUNT: request.merchantAccountNumber }
  const texts = Object.fromEntries(Object.entries(fieldsOfShell).map(([name, value]) => [name, String(value)]))
  const env = { ...texts, PATH: process.env.PATH, REQUEST: JSON.stringify(request), TOKEN: own }
  const { stdout, stderr, error } = spawnSync(command, argumentsOf(code), { env, encoding: 'utf8' })
  if (error !== undefined || stdout === '') throw new Error(`${language}: ${error?.message ?? stderr}`)
  return { signature: stdout.replace(/\n$/, ''), request, options: { variant: 'A', merchantToken: own } as const }
}
