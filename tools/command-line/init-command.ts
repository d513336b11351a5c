import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { policyFaults } from '../../src/guards/policy/policy-schema.js'
import { hash256 } from '../../src/scheme/signer.js'
import { variantNames, type Variant } from '../../src/scheme/variants.js'
import { defaultDigits } from '../../src/settings/environment.js'
import { CommandError, commandOf, text } from './command.js'
import { listIn, newKey, pretty, writeKeys } from './new-key-command.js'
import { variantOf, warn } from './token-input.js'

/** The folder of the package, from dist/tools/command-line. */
const packageFolder = new URL('../../../', import.meta.url)
const shipped = (path: string): Promise<string> => readFile(new URL(path, packageFolder), 'utf8')

/** Folder of the files that service and cron read, below the new folder. */
const etc = 'etc/payment-signature'

/** Answers of the shop's engineer. */
interface Shop {
  readonly url: URL
  readonly prefix: string
  readonly accountNumbers: readonly string[]
  readonly maximumAmount: string
  readonly variant: Variant
  /** Number of the unit's instance, and last digit of the ports. */
  readonly instance: string
  readonly mailTo: string
  /** Lines of nginx that lead to the shop's route. */
  readonly route: string
  readonly isPhp: boolean
}

const fail = (message: string): never => { throw new CommandError(message) }

function urlOf (given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || url.hostname === '') return fail('--shop must begin with https://, such as https://shop.example')
  if (url.username + url.password !== '') return fail('--shop must have no password')
  if (url.protocol !== 'https:') return fail(`--shop must begin with https://: https://${url.host}`)
  if (url.pathname + url.search + url.hash !== '/') {
    return fail(`--shop must have no path: ${url.origin}; --prefix sets the path of the service, /payments by default`)
  }
  return url
}

function accountsIn (given: string): string[] {
  const accounts = listIn(given)
  const isList = accounts.every(account => /^[0-9]{1,32}$/.test(account))
  if (!isList) return fail('--account-numbers must be digits, separated by commas without spaces, such as 102551,102552')
  if (new Set(accounts.map(({ length }) => length)).size > 1) return fail('--account-numbers must have the same number of digits')
  return accounts
}

function amountOf (given: string): string {
  const [, whole, decimal = ''] = /^(\d{1,12})[.,]?(\d?)$/.exec(given) ?? []
  const meant = whole === undefined ? 'an amount with two decimals, such as 500.00' : `written ${whole}.${decimal.padEnd(2, '0')}`
  if (!/^[0-9]{1,12}\.[0-9]{2}$/.test(given)) return fail(`--maximum-amount must be ${meant}`)
  return Number(given) >= 1 ? given : fail('--maximum-amount must be 1.00 or more')
}

/** Returns an address as nginx writes it: a socket, or host and port. The host is this machine by default. */
function addressOf (name: string, given: string): string {
  const [, socket, host = '127.0.0.1', port] =
    /^(?:http:\/\/)?(?:(?:unix:)?(\/[\w./-]+)|(?:([\w.-]+|\[[\da-f:]+\]):)?(\d{1,5})\/?)$/i.exec(given) ?? []
  if (socket !== undefined) return `unix:${socket}`
  return port === undefined ? fail(`--${name} must be a port, an address such as 127.0.0.1:8000, or the path of a socket`) : `${host}:${port}`
}

/** Returns the lines of nginx that lead to the route: as may-sign.conf has them, or as may-sign.php for PHP-FPM. */
function routeOf (address: string, isPhp: boolean, host: string): string {
  const lines = isPhp
    ? ['include fastcgi_params', `fastcgi_pass ${address}`, 'fastcgi_param HTTPS on',
        'fastcgi_param SCRIPT_FILENAME /srv/may-sign/may-sign.php', `fastcgi_param HTTP_HOST ${host}`]
    : [`proxy_pass http://${address}`, `proxy_set_header Host ${host}`, 'proxy_set_header X-Forwarded-Proto https']
  return lines.map(line => `        ${line};\n`).join('')
}

/** Returns the callers of the policy, and a new key for each that has one. Variant B has purchases only. */
function callersFor ({ accountNumbers, maximumAmount, variant }: Shop) {
  const keys: Record<string, string> = {}
  const withKey = (name: string, rest: object) => {
    keys[name] = newKey()
    return { name, apiKeySha256: hash256(keys[name]), ...rest }
  }
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
  const [fault] = policyFaults({ callers }, variant, accountNumbers[0]!.length)
  return fault === undefined ? { callers, keys } : fail(fault)
}

/** Returns all files by their paths below the folder. */
async function filesFor (shop: Shop, callers: object, probeKey: string | undefined): Promise<Map<string, string>> {
  const { url: { origin, host }, prefix, accountNumbers, variant, instance, route } = shop
  const [account = ''] = accountNumbers
  const endpoint = `${origin}${prefix}/api/generate-signature`
  const environment = [
    `POLICY_FILE=/${etc}/policy.json`, `AUTHORIZE_URL=http://127.0.0.1:308${instance}/may-sign`, `CORS_ORIGIN=${origin}`,
    'TRUST_PROXY=127.0.0.1', 'RATE_LIMIT_MAX=60', ...variant === 'B' ? ['VARIANT=B'] : [],
    ...account.length === defaultDigits ? [] : [`ACCOUNT_NUMBER_DIGITS=${account.length}`]
  ]
  const purchase = {
    ...variant === 'A' && { operationType: 'purchase' }, amount: '1.00', merchantAccountNumber: account, orderId: '1'
  }
  const cron = [
    `MAILTO=${shop.mailTo}`,
    `*/5 * * * * payment-alert node /${etc}/alert.mjs ${endpoint}${probeKey === undefined ? '' : ` /${etc}/probe-key`}`,
    `2-59/15 * * * * payment-alert journalctl -u 'payment-signature@*' -o short-unix --since -12h | node /${etc}/log-alert.mjs`
  ]
  const nginx = (await shipped('deploy/nginx.conf')).replaceAll('/payments/', `${prefix}/`).replaceAll('shop.example', host)
    .replace('proxy_pass http://127.0.0.1:3001/', `proxy_pass http://127.0.0.1:300${instance}/`)
  const door = (await shipped('deploy/may-sign.conf')).replace(/^# Replace .*\n/m, '')
    .replace('127.0.0.1:3081', `127.0.0.1:308${instance}`).replace(/(?: +proxy_.*\n)+/, route)
  return new Map([
    [`${etc}/policy.json`, pretty({ callers })],
    [`${etc}/environment`, environment.map(line => `${line}\n`).join('')],
    [`${etc}/request.json`, pretty(purchase)],
    ...probeKey === undefined ? [] : [[`${etc}/probe-key`, `${probeKey}\n`] as const],
    [`${etc}/eight-requests.mjs`, await shipped('examples/first/eight-requests.mjs')],
    [`${etc}/alert.mjs`, await shipped('examples/first/alert.mjs')],
    [`${etc}/log-alert.mjs`, await shipped('examples/first/log-alert.mjs')],
    ['etc/cron.d/payment-signature', cron.map(line => `${line}\n`).join('')],
    ['etc/nginx/conf.d/may-sign.conf', door],
    ['etc/nginx/snippets/payment-signature.conf', nginx],
    ['etc/systemd/system/payment-signature@.service', await shipped('deploy/payment-signature@.service')],
    ...shop.isPhp
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
function nextSteps (folder: string, { url, prefix, instance, isPhp }: Shop, hasProbe: boolean): string {
  const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
  const chown = hasProbe ? ` && sudo chown payment-alert /${etc}/probe-key` : ''
  return `Next (docs/safe-tonight.md explains each step):
  1. Copy the files. It asks before it replaces one:
       sudo useradd --system --groups systemd-journal payment-alert
       (umask 22; sudo cp -ri ${quoted}/. /)${chown}
  2. Paste the token, then Enter and Ctrl-D:
       (umask 77; sudo sh -c 'cat > /${etc}/merchant-token')
  3. ${isPhp ? 'Adapt /srv/may-sign/may-sign.php' : 'Add the route /may-sign to the shop, from examples/may-sign'}.
  4. Write at the top of the server {} of ${url.host}:
       include snippets/payment-signature.conf;
  5. Ask the route, which must answer 401 with LOG_IN:
       sudo nginx -t && sudo systemctl reload nginx
       curl -i http://127.0.0.1:308${instance}/may-sign -H 'content-type: application/json' -d '{"caller":"anonymous","orderId":"1"}'
  6. Start. The line "listening" must have STRICT, policy, rate-limit=60, authorize and audit-file:
       sudo systemctl enable --now payment-signature@${instance}
       sudo journalctl -u payment-signature@${instance} -o cat -n 9
  7. Send the eight requests:
       node /${etc}/eight-requests.mjs ${url.origin}${prefix}/api/generate-signature
`
}

export const command = commandOf({
  usage: 'FOLDER --shop ORIGIN --account-numbers LIST --maximum-amount AMOUNT [options]',
  help: `Makes the files of docs/safe-tonight.md for a shop behind nginx: policy, environment, systemd unit, nginx, cron, checks.
They are in a new folder that is laid out like /. Shows the keys once, and what remains to do. Changes nothing else.
To compare with files that you have changed, make another folder, and run diff -r.`,
  options: {
    shop: text('ORIGIN', 'the origin of the shop\'s pages, such as https://shop.example'),
    'account-numbers': text('LIST', 'the accounts that may be signed for, separated by commas'),
    'maximum-amount': text('AMOUNT', 'the highest amount of a purchase or refund, such as 500.00'),
    'shop-address': text('ADDRESS', 'where the shop listens behind nginx; default: 127.0.0.1:8000'),
    'php-fpm': text('ADDRESS', 'for a shop on PHP-FPM: its socket, such as /run/php/php-fpm.sock'),
    prefix: text('PATH', 'the path of the service at the shop; default: /payments'),
    instance: text('DIGIT', 'uses the ports 300N, 308N and 946N; default: 1'),
    'mail-to': text('ADDRESS', 'who gets the alerts; default: root'),
    'keys-file': text('FILE', 'write the keys into a new file, which only you can read, instead of printing them'),
    variant: text(variantNames.join('|'), 'default: A')
  },
  end: `Exit code: 0 done, 2 wrong usage

Example
  payment-signature init tonight --shop https://shop.example --account-numbers 102551 --maximum-amount 500.00`,
  maxPositionals: 1,

  async run ({ values, positionals: [folder] }, io) {
    const { shop, 'account-numbers': accounts, 'maximum-amount': amount, 'php-fpm': php, instance = '1', 'keys-file': keysFile } = values
    const given = { FOLDER: folder, '--shop': shop, '--account-numbers': accounts, '--maximum-amount': amount }
    const missing = Object.entries(given).flatMap(([name, value]) => value === undefined ? [name] : [])
    if (folder === undefined || shop === undefined || accounts === undefined || amount === undefined) {
      return fail(`missing ${missing.join(', ')}; see --help`)
    }
    if (php !== undefined && values['shop-address'] !== undefined) fail('--php-fpm and --shop-address are both given; leave one out')
    if (!/^[1-9]$/.test(instance)) fail('--instance must be a digit from 1 to 9')
    const [, path] = /^\/?([\w-]+(?:\/[\w-]+)*)\/?$/.exec(values.prefix ?? 'payments') ?? fail('--prefix must be a path such as /payments')
    const mailTo = values['mail-to'] ?? 'root'
    if (!/^[\w.+-]+(?:@[\w.-]+)?$/.test(mailTo)) fail('--mail-to must be one address, such as you@shop.example, or a user of this machine')
    const url = urlOf(shop)
    const isPhp = php !== undefined
    const address = isPhp ? addressOf('php-fpm', php) : addressOf('shop-address', values['shop-address'] ?? '8000')
    const answers: Shop = {
      url,
      prefix: `/${path}`,
      accountNumbers: accountsIn(accounts),
      maximumAmount: amountOf(amount),
      variant: variantOf(values, { ...io, env: {} }),
      instance,
      mailTo,
      route: routeOf(address, isPhp, url.host),
      isPhp
    }
    const { callers, keys: { probe, ...keys } } = callersFor(answers)
    const files = await filesFor(answers, callers, probe)
    await mkdir(folder, { mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) =>
      fail(code === 'EEXIST' ? `${folder} exists: pass a new folder` : `${folder} cannot be made (${code})`))
    const names = Object.keys(keys)
    try {
      await writeTree(folder, files)
      if (keysFile !== undefined && names.length > 0) await writeKeys(keysFile, keys)
    } catch (error) {
      await rm(folder, { recursive: true })
      throw error
    }
    const shown = keysFile === undefined
      ? `The keys, which are shown only now:\n${names.map(name => `  ${name.padEnd(12)}${keys[name]}\n`).join('')}\n`
      : `The keys are in ${keysFile}.\n\n`
    io.stdout.write(`${[...files.keys()].map(path => `${folder}/${path}\n`).join('')}\n${names.length === 0 ? '' : shown}` +
      nextSteps(resolve(folder) === folder ? folder : folder.replace(/\/+$/, ''), answers, probe !== undefined))
    for (const port of [3000, 3080, 9460].map(first => first + Number(instance))) {
      if (await isTaken(port)) warn([`port ${port} of this machine is in use: unless this service uses it, choose another --instance`], io)
    }
    return true
  }
})
