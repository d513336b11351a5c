import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { policyFaults } from '../../src/guards/policy/policy-schema.js'
import { hash256 } from '../../src/scheme/signer.js'
import { variantNames } from '../../src/scheme/variants.js'
import { defaultDigits } from '../../src/settings/environment.js'
import { assertGiven, commandOf, fail, text } from './command.js'
import { variantOf, warn } from './input.js'
import { listIn, newKey, pretty } from './new-key-command.js'

/** The folder of the package, from dist/tools/command-line. */
const packageFolder = new URL('../../../', import.meta.url)
const shipped = (path: string): Promise<string> => readFile(new URL(path, packageFolder), 'utf8')

/** Folder of the files that service and cron read, below the new folder. */
const etc = 'etc/payment-signature'

/** Returns the groups of an option's text. `form` completes the sentence "… must be". */
const matching = (name: string, given: string, pattern: RegExp, form: string): RegExpExecArray =>
  pattern.exec(given) ?? fail(`--${name} must be ${form}`)

/** Checks the options, and returns what the files need. */
function shopOf (values: Readonly<Record<string, string | boolean | undefined>>) {
  const given = (name: string, preset = ''): string => String(values[name] ?? preset)
  const url = URL.canParse(given('shop')) ? new URL(given('shop')) : undefined
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`) {
    return fail('--shop must be an origin such as https://shop.example; the path of the service is --prefix, by default /payments')
  }
  matching('account-numbers', given('account-numbers'), /^\d{1,32}(?:, *\d{1,32})*$/, 'digits, separated by commas, such as 102551,102552')
  const accountNumbers = listIn(given('account-numbers'))
  if (new Set(accountNumbers.map(({ length }) => length)).size > 1) fail('--account-numbers must have the same number of digits')
  const [maximumAmount] = matching('maximum-amount', given('maximum-amount'), /^(?!0+\.)\d{1,12}\.\d{2}$/, 'an amount such as 500.00, at least 1.00')
  const [, php, socket, host = '127.0.0.1', port] = matching('shop-address', given('shop-address', '8000'),
    /^(?:http:\/\/|(php-fpm:))?(?:(?:unix:)?(\/[\w./-]+)|(?:([\w.-]+|\[[\da-f:]+\]):)?(\d{1,5})\/?)$/i,
    'a port, an address such as 127.0.0.1:8000, or the path of a socket; for PHP-FPM, php-fpm: before it')
  const [, path] = matching('prefix', given('prefix', 'payments'), /^\/?([\w-]+(?:\/[\w-]+)*)\/?$/, 'a path such as /payments')
  const [instance] = matching('instance', given('instance', '1'), /^[1-9]$/, 'a digit from 1 to 9')
  const [mailTo] = matching('mail-to', given('mail-to', 'root'), /^[\w.+-]+(?:@[\w.-]+)?$/,
    'one address, such as you@shop.example, or a user of this machine')
  const address = socket === undefined ? `${host}:${port}` : `unix:${socket}`
  return { url, prefix: `/${path}`, accountNumbers, maximumAmount, instance, mailTo, address, isPhp: php !== undefined, variant: variantOf(values) }
}

type Shop = ReturnType<typeof shopOf>

/** Returns the callers of the policy, and a new key for each that has one. Variant B has purchases only. */
function callersFor ({ accountNumbers, maximumAmount, variant }: Shop) {
  const keys: Record<string, string> = {}
  const withKey = (name: string, rest: object) => ({ name, apiKeySha256: hash256(keys[name] = newKey()), ...rest })
  const callers = [
    { name: 'anonymous', operations: ['purchase'], accountNumbers, maximumAmount },
    ...variant === 'B'
      ? []
      : [
          withKey('back-office', { operations: ['refund', 'void'], accountNumbers, maximumAmount }),
          withKey('shop', { operations: ['inquiry'], accountNumbers }),
          withKey('probe', { operations: ['inquiry'], accountNumbers })
        ]
  ]
  for (const fault of policyFaults({ callers }, variant, accountNumbers[0]!.length)) fail(fault)
  return { callers, keys }
}

/** Returns the variables that the service and the commands need for this shop. */
const ownVariables = ({ variant, accountNumbers: [account = ''] }: Shop): string[] => [
  ...variant === 'B' ? ['VARIANT=B'] : [], ...account.length === defaultDigits ? [] : [`ACCOUNT_NUMBER_DIGITS=${account.length}`]
]

/** Returns all files by their paths below the folder. */
async function filesFor (shop: Shop, callers: object, probeKey: string | undefined): Promise<Map<string, string>> {
  const { url: { origin, host }, prefix, accountNumbers, variant, instance, address, isPhp } = shop
  const [account = ''] = accountNumbers
  const environment = [
    `POLICY_FILE=/${etc}/policy.json`, `AUTHORIZE_URL=http://127.0.0.1:308${instance}/may-sign`, `CORS_ORIGIN=${origin}`,
    'TRUST_PROXY=127.0.0.1', 'RATE_LIMIT_MAX=60', ...ownVariables(shop)
  ]
  const purchase = {
    ...variant === 'A' && { operationType: 'purchase' }, amount: '1.00', merchantAccountNumber: account, orderId: '1'
  }
  const whenEnabled = `payment-alert systemctl is-enabled --quiet payment-signature@${instance} &&` // silent before the start
  const alert = `node /${etc}/alert.mjs ${origin}${prefix}/api/generate-signature${probeKey === undefined ? '' : ` /${etc}/probe-key`}`
  const logAlert = `journalctl -u 'payment-signature@*' -o short-unix --since -12h | node /${etc}/log-alert.mjs`
  const cron = [`MAILTO=${shop.mailTo}`, `*/5 * * * * ${whenEnabled} ${alert}`, `2-59/15 * * * * ${whenEnabled} ${logAlert}`]
  const nginx = (await shipped('deploy/nginx.conf')).replaceAll('/payments/', `${prefix}/`).replaceAll('shop.example', host)
    .replace('proxy_pass http://127.0.0.1:3001/', `proxy_pass http://127.0.0.1:300${instance}/`)
  const route = isPhp
    ? ['include fastcgi_params', `fastcgi_pass ${address}`, 'fastcgi_param HTTPS on',
        'fastcgi_param SCRIPT_FILENAME /srv/may-sign/may-sign.php', `fastcgi_param HTTP_HOST ${host}`]
    : [`proxy_pass http://${address}`, `proxy_set_header Host ${host}`, 'proxy_set_header X-Forwarded-Proto https']
  const door = (await shipped('deploy/may-sign.conf')).replace(/^# Replace .*\n/m, '')
    .replace('127.0.0.1:3081', `127.0.0.1:308${instance}`)
    .replace(/(?: +proxy_.*\n)+/, route.map(line => `        ${line};\n`).join(''))
  const lines = (texts: readonly string[]): string => texts.map(text => `${text}\n`).join('')
  return new Map([
    [`${etc}/policy.json`, pretty({ callers })],
    [`${etc}/environment`, lines(environment)],
    [`${etc}/request.json`, pretty(purchase)],
    ...probeKey === undefined ? [] : [[`${etc}/probe-key`, `${probeKey}\n`] as const],
    [`${etc}/eight-requests.mjs`, await shipped('examples/first/eight-requests.mjs')],
    [`${etc}/alert.mjs`, await shipped('examples/first/alert.mjs')],
    [`${etc}/log-alert.mjs`, await shipped('examples/first/log-alert.mjs')],
    ['etc/cron.d/payment-signature', lines(cron)],
    ['etc/nginx/conf.d/may-sign.conf', door],
    ['etc/nginx/snippets/payment-signature.conf', nginx],
    ['etc/systemd/system/payment-signature@.service', await shipped('deploy/payment-signature@.service')],
    ...isPhp
      ? [['srv/may-sign/may-sign.php', (await shipped('examples/may-sign/may-sign.php')).replace("'102551'", `'${account}'`)] as const]
      : []
  ])
}

/** Writes the files into a new folder. Others may read all but the secrets, whatever the umask is. */
async function writeTree (folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, content] of files) {
    const mode = /\/(?:environment|probe-key)$/.test(path) ? 0o600 : 0o644
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx', mode })
    await chmod(join(folder, path), mode)
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) await chmod(join(folder, parent), 0o755)
  }
}

/** Returns true if a port of this machine is in use. */
const isTaken = (port: number): Promise<boolean> => new Promise(resolve => {
  const server = createServer().once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
})

/** Returns what the engineer does next. */
function nextSteps (folder: string, shop: Shop): string {
  const { url, prefix, instance, isPhp, variant } = shop
  const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  const chown = variant === 'A' ? ` && sudo chown payment-alert /${etc}/probe-key` : ''
  const own = ownVariables(shop).join(' ')
  return `Next (docs/safe-tonight.md explains each step):${own === '' ? '' : `\n  0. In this shell, for the other commands: export ${own}`}
  1. Copy the files. It asks before it replaces one:
       sudo useradd --system --groups systemd-journal payment-alert
       (umask 22; sudo cp -ri ${quoted}/. /)${chown}
  2. Paste the token, then Enter and Ctrl-D:
       (umask 77; sudo sh -c 'cat > /${etc}/merchant-token')
  3. ${isPhp ? 'Adapt /srv/may-sign/may-sign.php' : 'Add the route /may-sign to the shop, from examples/may-sign'}.
  4. Write at the top of the server {} of ${url.host}:
       include snippets/payment-signature.conf;
  5. Write an unpaid order into /${etc}/request.json. Ask the route with the header Cookie of its customer, then of
     another one. Step 7 needs the KEY of back-office:
       for name in COOKIE OTHER_COOKIE KEY; do read -rsp "$name: " $name; export $name; done
       sudo nginx -t && sudo systemctl reload nginx
       payment-signature doctor --authorize-url http://127.0.0.1:308${instance}/may-sign --request /${etc}/request.json \\
         --headers-file <(echo "Cookie: $COOKIE") --headers-file <(echo "Cookie: $OTHER_COOKIE")
  6. Start:
       sudo systemctl enable --now payment-signature@${instance}
  7. Send the eight requests. Then the log must have STRICT, policy, rate-limit=60, authorize and audit-file in the line
     "listening", and no line with "level":40:
       node /${etc}/eight-requests.mjs ${url.origin}${prefix}/api/generate-signature
       sudo journalctl -u payment-signature@${instance} -o cat -n 30
`
}

export const command = commandOf({
  usage: 'FOLDER --shop ORIGIN --account-numbers LIST --maximum-amount AMOUNT [options]',
  help: `Makes the files of docs/safe-tonight.md for a shop behind nginx: policy, environment, systemd unit, nginx, cron, checks.
They are in a new folder that is laid out like /. Shows the keys once, and what remains to do. Changes nothing else.
To compare with files that you have changed, make another folder, and run diff -r. Its keys are new: keep yours.`,
  options: {
    shop: text('ORIGIN', 'the origin of the shop\'s pages, such as https://shop.example'),
    'account-numbers': text('LIST', 'the accounts that may be signed for, separated by commas'),
    'maximum-amount': text('AMOUNT', 'the highest amount of a purchase or refund, such as 500.00'),
    'shop-address': text('ADDRESS', 'where the shop listens behind nginx: a port, an address or a socket, such as\n' +
      'php-fpm:/run/php/php-fpm.sock for PHP-FPM; default: 127.0.0.1:8000'),
    prefix: text('PATH', 'the path of the service at the shop; default: /payments'),
    instance: text('DIGIT', 'uses the ports 300N, 308N and 946N; default: 1'),
    'mail-to': text('ADDRESS', 'who gets the alerts; default: root'),
    variant: text(variantNames.join('|'), 'default: A')
  },
  end: `Exit code: 0 done, 2 wrong usage

Example
  payment-signature init tonight --shop https://shop.example --account-numbers 102551 --maximum-amount 500.00`,
  maxPositionals: 1,

  async run ({ values, positionals: [folder] }, io) {
    const { shop: origin, 'account-numbers': accounts, 'maximum-amount': amount } = values
    assertGiven({ FOLDER: folder, '--shop': origin, '--account-numbers': accounts, '--maximum-amount': amount })
    const shop = shopOf(values)
    const { callers, keys: { probe, ...keys } } = callersFor(shop)
    const files = await filesFor(shop, callers, probe)
    const path = folder!.replace(/(?<=.)\/+$/, '')
    await mkdir(path, { mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) =>
      fail(code === 'EEXIST' ? `${path} exists: pass a new folder` : `${path} cannot be made (${code})`))
    await writeTree(path, files).catch(async error => {
      await rm(path, { recursive: true })
      throw error
    })
    const shown = Object.entries(keys).map(([name, key]) => `  ${name.padEnd(12)}${key}\n`).join('')
    io.stdout.write([...files.keys()].map(name => `${path}/${name}\n`).join('') +
      (probe === undefined ? '\n' : `\nThe keys, which are shown only now:\n${shown}\n`) + nextSteps(path, shop))
    for (const port of [3000, 3080, 9460].map(first => first + Number(shop.instance))) {
      if (await isTaken(port)) warn([`port ${port} of this machine is in use: unless this service uses it, choose another --instance`], io)
    }
    return true
  }
})
