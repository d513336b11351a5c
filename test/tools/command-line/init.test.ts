import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { refuses, run } from '../../support/command-line.js'
import { substitute } from '../../support/documentation.js'
import { lacking, pathOf } from '../../support/installed.js'
import { root } from '../../support/server.js'

const answers = ['--shop', 'https://shop.example', '--account-numbers', '102551', '--maximum-amount', '500.00']

/** Runs `init` for a new folder. Returns its path, and what is printed with FOLDER for the path. */
async function made (t: Test, args: readonly string[] = answers) {
  const folder = join(t.testdir(), 'tonight')
  const { code, stdout } = await run(['init', folder, ...args])
  t.equal(code, 0)
  const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8')
  return { folder, stdout: stdout.replaceAll(folder, 'FOLDER'), textOf }
}

/** Returns the path and the mode of each file and folder. */
const modesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  .map(path => [path, statSync(join(folder, path))] as const)
  .map(([path, stats]) => [path, (stats.mode & 0o777).toString(8), stats.isDirectory()] as const)

const printed = `FOLDER/etc/payment-signature/policy.json
FOLDER/etc/payment-signature/environment
FOLDER/etc/payment-signature/request.json
FOLDER/etc/payment-signature/probe-key
FOLDER/etc/payment-signature/eight-requests.mjs
FOLDER/etc/payment-signature/alert.mjs
FOLDER/etc/payment-signature/log-alert.mjs
FOLDER/etc/cron.d/payment-signature
FOLDER/etc/nginx/conf.d/may-sign.conf
FOLDER/etc/nginx/snippets/payment-signature.conf
FOLDER/etc/systemd/system/payment-signature@.service

The keys, which are shown only now:
  back-office psk_KEY
  shop        psk_KEY

Next (docs/safe-tonight.md explains each step):
  1. Copy the files. It asks before it replaces one:
       sudo useradd --system --groups systemd-journal payment-alert
       (umask 22; sudo cp -ri FOLDER/. /) && sudo chown payment-alert /etc/payment-signature/probe-key
  2. Paste the token, then Enter and Ctrl-D:
       (umask 77; sudo sh -c 'cat > /etc/payment-signature/merchant-token')
  3. Add the route /may-sign to the shop, from examples/may-sign.
  4. Write at the top of the server {} of shop.example:
       include snippets/payment-signature.conf;
  5. Write an unpaid order into /etc/payment-signature/request.json. Ask the route with the header Cookie of its customer, then of
     another one. Step 7 needs the KEY of back-office:
       for name in COOKIE OTHER_COOKIE KEY; do read -rsp "$name: " $name; export $name; done
       sudo nginx -t && sudo systemctl reload nginx
       payment-signature doctor --authorize-url http://127.0.0.1:3081/may-sign --request /etc/payment-signature/request.json \\
         --headers-file <(echo "Cookie: $COOKIE") --headers-file <(echo "Cookie: $OTHER_COOKIE")
  6. Start:
       sudo systemctl enable --now payment-signature@1
  7. Send the eight requests. Then the log must have STRICT, policy, rate-limit=60, authorize and audit-file in the line
     "listening", and no line with "level":40:
       node /etc/payment-signature/eight-requests.mjs https://shop.example/payments/api/generate-signature
       sudo journalctl -u payment-signature@1 -o cat -n 30
`

t.test('the files of a shop, whatever the umask is', async t => {
  const before = process.umask(0o077)
  t.teardown(() => process.umask(before))
  const { folder, stdout, textOf } = await made(t)
  t.equal(stdout.replaceAll(/psk_[0-9a-f]{64}/g, 'psk_KEY'), printed)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  const modes = modesIn(folder)
  t.strictSame(modes.filter(([, mode]) => mode === '600').map(([path]) => path), ['etc/payment-signature/environment', 'etc/payment-signature/probe-key'])
  for (const [path, mode, isFolder] of modes) if (mode !== '600') t.equal(mode, isFolder ? '755' : '644', path)
  t.equal(textOf('etc/payment-signature/environment'), `POLICY_FILE=/etc/payment-signature/policy.json
AUTHORIZE_URL=http://127.0.0.1:3081/may-sign
CORS_ORIGIN=https://shop.example
TRUST_PROXY=127.0.0.1
RATE_LIMIT_MAX=60
`)
  t.strictSame(JSON.parse(textOf('etc/payment-signature/request.json')),
    { operationType: 'purchase', amount: '1.00', merchantAccountNumber: '102551', orderId: '1' })
  t.equal(textOf('etc/cron.d/payment-signature'), `MAILTO=root
*/5 * * * * payment-alert systemctl is-enabled --quiet payment-signature@1 && node /etc/payment-signature/alert.mjs https://shop.example/payments/api/generate-signature /etc/payment-signature/probe-key
2-59/15 * * * * payment-alert systemctl is-enabled --quiet payment-signature@1 && journalctl -u 'payment-signature@*' -o short-unix --since -12h | node /etc/payment-signature/log-alert.mjs
`)
  t.equal(textOf('etc/nginx/conf.d/may-sign.conf'), `# The shop's route for the service, at a port that only this machine reaches: docs/safe-tonight.md.
server {
    listen 127.0.0.1:3081;
    location = /may-sign {
        proxy_pass http://127.0.0.1:8000;
        proxy_set_header Host shop.example;
        proxy_set_header X-Forwarded-Proto https;
    }
    location / { return 404; }
}
`)
  for (const [path, source] of [
    ['etc/nginx/snippets/payment-signature.conf', 'deploy/nginx.conf'],
    ['etc/systemd/system/payment-signature@.service', 'deploy/payment-signature@.service'],
    ['etc/payment-signature/alert.mjs', 'examples/first/alert.mjs'],
    ['etc/payment-signature/log-alert.mjs', 'examples/first/log-alert.mjs'],
    ['etc/payment-signature/eight-requests.mjs', 'examples/first/eight-requests.mjs']
  ] as const) t.equal(textOf(path), readFileSync(join(root, source), 'utf8'), path)

  const [office, shop] = stdout.match(/psk_[0-9a-f]{64}/g) as [string, string]
  const digests = [office, shop, textOf('etc/payment-signature/probe-key').trimEnd()].map(key => createHash('sha256').update(key).digest('hex'))
  t.equal(new Set(digests).size, 3)
  const accountNumbers = ['102551']
  t.strictSame(JSON.parse(textOf('etc/payment-signature/policy.json')), {
    callers: [
      { name: 'anonymous', operations: ['purchase'], accountNumbers, maximumAmount: '500.00' },
      { name: 'back-office', apiKeySha256: digests[0], operations: ['refund', 'void'], accountNumbers, maximumAmount: '500.00' },
      { name: 'shop', apiKeySha256: digests[1], operations: ['inquiry'], accountNumbers },
      { name: 'probe', apiKeySha256: digests[2], operations: ['inquiry'], accountNumbers }
    ]
  })
  t.match(await run(['check-policy', join(folder, 'etc/payment-signature/policy.json')]), {
    code: 0, stdout: /^✓ callers: anonymous, back-office, shop, probe\n! caller "shop" may inquire but not void: .*\n! caller "probe" may inquire but not void: .*\n$/
  })
  areAccepted(t, folder, 'A')
})

t.test('the comparison of an upgrade leaves out live keys and the order, and shows a changed unit', async t => {
  const { folder } = await made(t)
  const next = `${folder}-2`
  t.equal((await run(['init', next, ...answers])).code, 0)
  writeFileSync(join(folder, 'etc/payment-signature/request.json'), '{"orderId":"1001"}')
  writeFileSync(join(folder, 'etc/payment-signature/merchant-token'), 'token')
  const [, command = ''] = /`(sudo diff [^`]+)`/.exec(readFileSync(join(root, 'docs/safe-tonight.md'), 'utf8')) ?? []
  const compared = () => spawnSync('bash', ['-c',
    `sudo () { "$@"; }; ${substitute(command, { 'FOLDER /': `${next} ${folder}` })}`], { encoding: 'utf8' }).stdout
  t.equal(compared(), '')
  const unit = 'etc/systemd/system/payment-signature@.service'
  writeFileSync(join(folder, unit), 'old')
  t.match(compared(), new RegExp(`^diff .*${unit}\n`))
})

/** Runs `serve --check` with the environment of a folder as the unit has it. */
function checked (folder: string) {
  writeFileSync(join(folder, 'merchant-token'), 'tK7-mQ2xV9/bR4+wZ1-0123456789-abc\n', { mode: 0o600 })
  const environment = readFileSync(join(folder, 'etc/payment-signature/environment'), 'utf8').trim().split('\n')
    .map(line => line.replace('=/etc/', `=${folder}/etc/`))
  const unit = ['NODE_ENV=production', `MERCHANT_TOKEN_FILE=${folder}/merchant-token`, `AUDIT_FILE=${folder}/audit.log`]
  const program = join(root, 'dist/tools/command-line/payment-signature.js')
  return spawnSync('env', ['-i', ...unit, ...environment, process.execPath, program, 'serve', '--check'], { cwd: folder, encoding: 'utf8' })
}

/** Runs `nginx -t` with the files of a folder inside a minimal configuration, which has the shop's server. */
function nginxTest (t: Test, folder: string) {
  const etc = join(folder, 'etc/nginx')
  writeFileSync(join(etc, 'fastcgi_params'), '')
  mkdirSync(join(folder, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/temporary/${name};`).join('\n')
  writeFileSync(join(etc, 'nginx.conf'), `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\ninclude conf.d/*.conf;
server {\nlisten 127.0.0.1:8080;\ninclude snippets/payment-signature.conf;\n}\n}\n`)
  const { status, stderr } = spawnSync(pathOf('nginx')!, ['-t', '-e', 'stderr', '-c', join(etc, 'nginx.conf')], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
  t.notMatch(stderr, 'warn')
}

/** Checks that the service and nginx accept the files of a folder. */
function areAccepted (t: Test, folder: string, variant: string): void {
  const { status, stdout, stderr } = checked(folder)
  t.strictSame([status, stderr], [0, ''])
  t.match(stdout, `variant ${variant}, `)
  t.ok(stdout.endsWith(', guards: STRICT, policy, rate-limit=60, authorize, audit-file\n'), stdout)
  if (lacking('nginx') === false) nginxTest(t, folder)
}

t.test('a prefix, an instance, an address, a mail address and accounts of 8 digits', async t => {
  const { folder, stdout, textOf } = await made(t, ['--shop', 'https://Shop.example:8443/', '--maximum-amount', '500.00', '--prefix', 'shop/sign/', '--instance', '3',
    '--shop-address', 'http://unix:/run/shop.sock', '--mail-to', 'you@shop.example', '--account-numbers', '10255100, 10255200'])
  const environment = textOf('etc/payment-signature/environment')
  t.match(environment, 'CORS_ORIGIN=https://shop.example:8443\n')
  t.match(environment, 'AUTHORIZE_URL=http://127.0.0.1:3083/may-sign\n')
  t.match(environment, 'ACCOUNT_NUMBER_DIGITS=8\n')
  t.match(stdout, '\n  0. In this shell, for the other commands: export ACCOUNT_NUMBER_DIGITS=8\n')
  const locations = textOf('etc/nginx/snippets/payment-signature.conf')
  t.match(locations, 'location = /shop/sign/api/generate-signature {\n    if ($request_uri !~ "^/shop/sign/api/generate-signature($|\\?)")')
  t.match(locations, '\n    proxy_pass http://127.0.0.1:3003/api/generate-signature;')
  t.match(locations, 'location ^~ /shop/sign/api/ { return 404; }')
  const door = textOf('etc/nginx/conf.d/may-sign.conf')
  t.match(door, 'listen 127.0.0.1:3083;')
  t.match(door, 'proxy_pass http://unix:/run/shop.sock;\n        proxy_set_header Host shop.example:8443;')
  t.match(textOf('etc/cron.d/payment-signature'), /^MAILTO=you@shop\.example\n.* https:\/\/shop\.example:8443\/shop\/sign\/api\/generate-signature \/etc/)
  t.match(textOf('etc/payment-signature/policy.json'), '"10255200"')
  t.match(textOf('etc/cron.d/payment-signature').match(/is-enabled --quiet payment-signature@3 && /g), { length: 2 })
  t.match(stdout, 'enable --now payment-signature@3\n')
  areAccepted(t, folder, 'A')
})

t.test('PHP-FPM, and variant B, which has no keys', async t => {
  const { folder, stdout, textOf } = await made(t, [...answers, '--shop-address', 'php-fpm:/run/php/php8.2-fpm.sock', '--variant', 'B'])
  t.match(textOf('etc/nginx/conf.d/may-sign.conf'), `    location = /may-sign {
        include fastcgi_params;
        fastcgi_pass unix:/run/php/php8.2-fpm.sock;
        fastcgi_param HTTPS on;
        fastcgi_param SCRIPT_FILENAME /srv/may-sign/may-sign.php;
        fastcgi_param HTTP_HOST shop.example;
    }
`)
  t.match(textOf('srv/may-sign/may-sign.php'), "const ACCOUNT_NUMBER = '102551'; // yours\n")
  t.match(textOf('etc/payment-signature/environment'), /\nVARIANT=B\n$/)
  t.strictSame(JSON.parse(textOf('etc/payment-signature/request.json')), { amount: '1.00', merchantAccountNumber: '102551', orderId: '1' })
  t.match(textOf('etc/cron.d/payment-signature'), 'generate-signature\n2-59/15')
  t.notMatch(stdout, /psk_|probe-key|keys/)
  t.match(stdout, '  3. Adapt /srv/may-sign/may-sign.php.\n')
  t.match(stdout, 'each step):\n  0. In this shell, for the other commands: export VARIANT=B\n  1. Copy')
  areAccepted(t, folder, 'B')
})

t.test('a folder that exists is left alone', async t => {
  const folder = t.testdir({ tonight: {} })
  await refuses(t, ['init', `${folder}/tonight/`, ...answers], `${folder}/tonight exists: pass a new folder`)
  t.strictSame(readdirSync(folder, { recursive: true }), ['tonight'])
})

t.test('a port that is in use is a warning', async t => {
  const server = createServer()
  const isFree = await new Promise(resolve => server.once('error', () => resolve(false)).listen(3009, '127.0.0.1', () => resolve(true)))
  t.teardown(() => server.close())
  const { code, stderr } = await run(['init', join(t.testdir(), 'tonight'), ...answers, '--instance', '9'])
  t.equal(code, 0)
  if (isFree === true) t.match(stderr, 'payment-signature: warning: port 3009 of this machine is in use: unless this service uses it, choose another --instance\n')
})

const accounts = '--account-numbers must be digits, separated by commas, such as 102551,102552'
const origin = '--shop must be an origin such as https://shop.example; the path of the service is --prefix, by default /payments'
const amount = '--maximum-amount must be an amount such as 500.00, at least 1.00'
const address = '--shop-address must be a port, an address such as 127.0.0.1:8000, or the path of a socket; for PHP-FPM, php-fpm: before it'
for (const [change, message] of [
  [['--shop', 'shop.example'], origin],
  [['--shop', 'http://shop.example'], origin],
  [['--shop', 'https://shop.example/en'], origin],
  [['--shop', 'https://you:canary@shop.example'], origin],
  [['--account-numbers', '102551,'], accounts],
  [['--account-numbers', '102551,10255'], '--account-numbers must have the same number of digits'],
  [['--maximum-amount', '500'], amount],
  [['--maximum-amount', '0.50'], amount],
  [['--shop-address', 'shop'], address],
  [['--shop-address', 'php-fpm:'], address],
  [['--prefix', '/'], '--prefix must be a path such as /payments'],
  [['--prefix', '/a b'], '--prefix must be a path such as /payments'],
  [['--instance', '10'], '--instance must be a digit from 1 to 9'],
  [['--mail-to', 'You <you@shop.example>'], '--mail-to must be one address, such as you@shop.example, or a user of this machine']
] as ReadonlyArray<[string[], string]>) {
  t.test(`init ${change.join(' ')}`, async t => {
    const folder = join(t.testdir(), 'tonight')
    const own = answers.filter((_, index) => answers[index - index % 2] !== change[0])
    await refuses(t, ['init', folder, ...own, ...change], message)
  })
}

t.test('what is missing is named, and an account after a space', async t => {
  await refuses(t, ['init'], 'missing FOLDER, --shop, --account-numbers, --maximum-amount; see --help')
  await refuses(t, ['init', 'tonight', ...answers.slice(0, 4)], 'missing --maximum-amount; see --help')
  await refuses(t, ['init', 'tonight', ...answers, '102552'], 'unexpected argument (not shown: it may be a secret); write a list without spaces, such as 102551,102552')
})
