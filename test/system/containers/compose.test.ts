import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import t from 'tap'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { compose, composeProject, composeWith, copyProgram } from '../../support/compose.js'
import type { Service } from '../../support/compose.js'
import { builtImage, podmanOutput, provide, withoutNetworks } from '../../support/containers.js'
import { lacking } from '../../support/installed.js'
import { substitute } from '../../support/documentation.js'
import { composeCommands } from '../../support/documented.js'
import { body, production } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { root } from '../../support/server.js'

// deploy/compose.yaml with Debian's programs in place of the images of a registry: Redis instead of Valkey, and older
// versions of Caddy and Prometheus. Debian has no Grafana: the test sends Grafana's queries to Prometheus.

const deploy = join(root, 'deploy')
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8')
const { services } = compose

interface Panel { targets: Array<{ expr: string }> }

/** Programs of the images, with their paths. */
const programs: Record<string, Array<[from: string, to: string]>> = {
  valkey: [['redis-server', '/usr/bin/valkey-server'], ['redis-cli', '/usr/bin/valkey-cli']],
  proxy: [['caddy', '/usr/bin/caddy']],
  prometheus: [['prometheus', '/bin/prometheus']],
  probe: [['prometheus-blackbox-exporter', '/bin/blackbox_exporter']]
}
const changes: Record<string, string[]> = {
  valkey: [], proxy: [], prometheus: ['ENTRYPOINT ["/bin/prometheus"]'], probe: ['ENTRYPOINT ["/bin/blackbox_exporter"]']
}

const skip = withoutNetworks || lacking(...Object.values(programs).flat().map(([name]) => name))

function provideStandIns (): void {
  for (const [name, list] of Object.entries(programs)) {
    provide(services[name]!.image, (_, rootfs) => {
      for (const [from, to] of list) copyProgram(rootfs, `/usr/bin/${from}`, to)
      for (const folder of ['etc', 'prometheus', 'data', 'tmp']) mkdirSync(join(rootfs, folder), { recursive: true })
      writeFileSync(join(rootfs, 'etc/nsswitch.conf'), 'hosts: files dns\n')
      chownSync(join(rootfs, 'prometheus'), 65534, 65534)
      chmodSync(join(rootfs, 'tmp'), 0o1777)
    }, ['ENV PATH=/usr/local/bin:/usr/bin:/bin', ...changes[name] ?? []])
  }
  podmanOutput('tag', builtImage(), services.one!.image)
}

t.test('every service is hardened, its image pinned, its ports on this machine only', async t => {
  for (const [name, service] of Object.entries(services) as Array<[string, Service]>) {
    t.match(service, {
      read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], pids_limit: 256, mem_limit: /^\d+m$/
    }, name)
    t.match(service.user, name === 'secrets' ? /^0:0$/ : /^[1-9]\d*:\d+$/, `${name}: as a user without privileges`)
    t.match(service.image, name in programs || name === 'grafana' ? /^docker\.io\/\w+\/[\w-]+:v?\d+\.\d+\.\d+/ : /:compose$/)
    t.strictSame(service.ports?.filter(port => !/^(?:127\.0\.0\.1|\$\{PROXY_ADDRESS:-127\.0\.0\.1\}):/.test(port)) ?? [], [], name)
    t.notMatch(service.environment, { GF_SECURITY_ADMIN_PASSWORD: /./ })
  }
  t.strictSame(services.other, services.one)
})

t.test('an image is built once: two builds of one tag at the same time fail', async t => {
  const built = Object.values(compose.services).filter(({ build }) => build !== undefined).map(({ image }) => image)
  t.strictSame(built, ['payment-signature-backend:compose'])
})

const validator = ['docker compose', 'docker-compose'].find(command => spawnSync('sh', ['-c', `${command} version`]).status === 0)
t.test('the schema of Compose', { skip: validator === undefined && lacking('docker-compose') }, async t => {
  const { status, stderr } = spawnSync('sh', ['-c', `${validator} -f - --project-directory ${deploy} config --quiet`], {
    input: read('compose.yaml').replace(/^name: .*\n/m, ''), // Debian's version does not support this option yet
    encoding: 'utf8'
  })
  t.equal(status, 0, stderr)
})

/** Runs the script of `secrets` and the check of an instance in a folder that replaces the volumes. */
function checkOf (t: Test, variables: Record<string, string | undefined>): string {
  const folder = t.testdir({ token: {}, grafana: {}, blackbox: {}, proxy: {}, audit: {} })
  const local = (text: unknown) => String(text).replaceAll('/run/', `${folder}/`).replaceAll('/var/log/', `${folder}/audit/`)
    .replaceAll('/etc/blackbox.yaml', join(deploy, 'prometheus/blackbox.yaml'))
  const { secrets, one } = composeWith(variables).services
  const run = (args: string[], environment: Service['environment']) => spawnSync('env', ['-i',
    ...Object.entries(environment ?? {}).map(([name, value]) => `${name}=${local(value)}`), process.execPath, ...args], { cwd: folder, encoding: 'utf8' })
  t.match(run(['-e', local(secrets!.command)], secrets!.environment), { status: 0, stderr: '' })
  const { stderr } = run([join(root, 'dist/src/server.js'), '--check'], one!.environment)
  return stderr.replaceAll('payment-signature-backend: ', '').replaceAll(folder, '')
}

t.test('--check names what is missing in the only .env', async t => {
  const example = read('env.example')
  const template = parseEnv(example)
  const used = [...read('compose.yaml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name)
  t.strictSame(Object.keys(template).filter(name => !used.includes(name)), [], 'each variable is used')
  t.equal(checkOf(t, template), [
    'warning: the merchant token has fewer than 16 characters, and can be guessed from a single signature',
    'POLICY_FILE is "/token/policy.json": callers.0.accountNumbers.0 must be digits',
    'POLICY_FILE is "/token/policy.json": callers.1.accountNumbers.0 must be digits',
    'CORS_ORIGIN still has a placeholder: put your own value in its place',
    'the merchant token looks like a placeholder', ''
  ].join('\n'))
  const own = { MERCHANT_TOKEN: production.token, CORS_ORIGIN: 'https://shop.test', ACCOUNT_NUMBER: '102551', BACK_OFFICE_KEY_SHA256: 'f'.repeat(64) }
  t.equal(checkOf(t, { ...template, ...own }), '')
  t.equal(checkOf(t, {}), '', 'and to try it, nothing has to be filled in')
})

t.test('docker compose up', { skip }, async t => {
  provideStandIns()
  const ports = { 8443: await freePort(), 9090: await freePort(), 3000: 0 }
  const files = t.testdir({
    'prometheus.yaml': substitute(read('compose/prometheus.yaml'), {
      'scrape_interval: 5s': 'scrape_timeout: 900ms\n  scrape_interval: 1s', 'evaluation_interval: 5s': 'evaluation_interval: 1s', '1m': '1s', '15s': '900ms'
    })
  })
  const { up, again, logs, exec, copy, inPlaceOf } = composeProject(t, 'compose-test', ports, {
    'prometheus.yaml': join(files, 'prometheus.yaml')
  })
  await up('secrets', 'valkey', 'one', 'other', 'proxy', 'probe', 'prometheus')

  const inside = (program: string) => exec('one', 'node', '-e', program)
  const readToken = () => inside('process.stdout.write(fs.readFileSync(process.env.MERCHANT_TOKEN_FILE, "utf8"))')
  const token = readToken()
  const ca = join(files, 'root.crt')
  await t.test('a random token is kept', async t => {
    t.match(token, /^[0-9a-f]{64}$/)
    t.equal(again('secrets'), '0')
    t.equal(readToken(), token)
    t.equal(inside('console.log((fs.statSync(process.env.MERCHANT_TOKEN_FILE).mode & 0o777).toString(8))'), '440')
    t.notMatch(logs('one'), 'can be read by every user')
    t.notMatch(logs('one') + logs('secrets'), token)
  })

  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  t.teardown(() => agent.destroy())
  async function sign (): Promise<{ statusCode: number | undefined, body: string }> {
    const outgoing = request({
      host: '127.0.0.1',
      port: ports[8443],
      servername: 'localhost',
      ca: readFileSync(ca),
      agent,
      method: 'POST',
      path: '/api/generate-signature',
      headers: { host: 'localhost', 'content-type': 'application/json', 'content-length': body.length }
    }).end(body)
    const [response] = await once(outgoing, 'response') as [IncomingMessage]
    return { statusCode: response.statusCode, body: await text(response) }
  }

  await t.test('both instances sign through TLS and share a limit', async t => {
    const commands = substitute(composeCommands, { 8443: ports[8443], ' root.crt': ` ${ca}` })
    const [, authority = ''] = / cp proxy:(\S+)/.exec(commands) ?? []
    copy('proxy', authority, ca)
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const signature = `${hash('1709912345678client-generated-session-id100.00')}///${hash(`1709912345678ORDER-12345${token}102551100.00`)}`
    const { stdout } = spawnSync('sh', ['-c', `curl -s ${commands.split('\ncurl ')[1]}`], { encoding: 'utf8' })
    t.equal(stdout, JSON.stringify({ signature }), 'as documented')
    const answers = await Promise.all(Array.from({ length: 599 }, sign))
    t.strictSame(answers.filter(answer => answer.body !== JSON.stringify({ signature })), [])
    t.match(await sign(), { statusCode: 429, body: /^\{"error":"Too many requests: try again in \d+ seconds"\}$/ })
    const audit = inside('console.log(fs.readFileSync(process.env.AUDIT_FILE, "utf8"))').split('\n').filter(line => line.includes('"signed","caller":"anonymous"'))
    t.equal(audit.length, 600)
    t.equal(new Set(audit.map(line => JSON.parse(line).hostname)).size, 2, 'both instances have signed')
    for (const name of ['one', 'other']) t.notMatch(logs(name), '"level":40', 'nothing is left open')
    const keys = exec('valkey', 'valkey-cli', 'keys', '*address*').split('\n')
    t.equal(keys.length, 1)
    t.notMatch(keys[0], '10.213.47.2', 'the address is that of the client, not of the proxy')
  })

  /** Sends a query to Prometheus at its published port. */
  async function prometheus (path: string) {
    const response = await fetch(`http://127.0.0.1:${ports[9090]}/api/v1/${path}`)
    const answer = await response.json() as { status: string, data: any, error?: string }
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`)
    return answer.data
  }
  const until = async <Value>(ask: () => Promise<Value | false>): Promise<Value> => {
    for (const end = Date.now() + 30_000; ; await setTimeout(200)) {
      const value = await ask().catch(() => false as const)
      if (value !== false) return value
      if (Date.now() > end) throw new Error(`not in time: ${ask}\n${logs('prometheus')}`)
    }
  }
  const query = async (expression: string) => (await prometheus(`query?query=${encodeURIComponent(expression)}`)).result as unknown[]

  await t.test('Prometheus scrapes both instances and the probe, which gets a signature, and knows the alerts', async t => {
    await until(async () => (await query('probe_success{job="payment-signature-probe"} == 1')).length === 1)
    t.equal((await query('probe_ssl_earliest_cert_expiry > time()')).length, 1)
    await until(async () => (await query('up{job="payment-signature"} == 1')).length === 2)
    const { groups } = await prometheus('rules')
    const { groups: expected } = parse(read('prometheus/alerts.yaml'))
    t.strictSame(groups[0].rules.map(({ name }: { name: string }) => name),
      expected[0].rules.map(({ alert, record }: { alert?: string, record?: string }) => alert ?? record))
  })

  await t.test('Grafana has the data source, and each query of the dashboard has a result', async t => {
    const { datasources: [{ url }] } = parse(read('grafana/provisioning/datasources/prometheus.yaml'))
    t.equal(inPlaceOf('grafana', services.one!.image, 'node', '-e', `fetch('${url}/-/ready').then(({ status }) => console.log(status))`), '200')
    const { panels }: { panels: Panel[] } = JSON.parse(read('grafana/dashboard.json'))
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const asked = (expr: string) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '2m')
    const hasNoData = /authorize|would_refuse/ // no backend, no guard in report mode
    const withoutData = async (): Promise<string[]> => (await Promise.all(expressions.map(async expr =>
      (await query(asked(expr))).length > 0 ? [] : [expr]))).flat()
    const expected = expressions.filter(expr => hasNoData.test(expr))
    await until(async () => {
      await sign() // refused: a rate is above 0 only if a counter grows between two scrapes
      return (await withoutData()).length <= expected.length
    }).catch(() => {})
    t.strictSame(await withoutData(), expected)
    t.ok(expressions.length > 25, `${expressions.length} queries`)
    t.strictSame((await prometheus('label/instance/values?match[]=payment_signature_build_info')).sort(), ['one:9464', 'other:9464'])
  })
})
