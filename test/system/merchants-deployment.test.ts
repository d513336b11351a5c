import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { compose } from '../support/compose.js'
import { merchants } from '../support/documented.js'
import { lacking } from '../support/installed.js'
import { find, overlays, render, withoutKubectl } from '../support/kubernetes.js'
import { root } from '../support/server.js'

// The files of deploy/ for many merchants: the service accepts their variables with the file that the page shows.

process.umask(0o077)

const policy = {
  callers: [{
    name: 'shops', apiKeySha256: 'f'.repeat(64), operations: ['purchase'], accountNumbers: ['102551', '200417', '200418']
  }]
}

/** Checks variables, with the files of two merchants in place of those of a deployment. Returns the output. */
function check (t: Test, variables: Record<string, unknown>, folders: readonly string[]): string {
  const folder = t.testdir({
    'merchants.json': merchants, 'policy.json': JSON.stringify(policy), tokens: { 'shop-2': 'tK7-mQ2xV9/bR4+wZ1-0123456789' }
  })
  const local = (text: unknown) => folders.reduce((text, path) => text.replace(path, folder), String(text))
  const env = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, local(value)]))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/src/server.js'), '--check'], {
    encoding: 'utf8', cwd: folder, env: { ...env, NODE_OPTIONS: '' }
  })
  t.equal(status, 0, stderr)
  return stdout
}

const expected = /^# variant A,B, token from MERCHANTS_FILE \(.*\/merchants.json, 2 merchants\)/m

for (const overlay of overlays) {
  t.test(`Kubernetes, ${overlay}`, { skip: withoutKubectl }, async t => {
    const manifests = render(t, overlay, ['merchants'])
    const { data } = find(manifests, 'ConfigMap', 'payment-signature-variables')
    const [container] = find(manifests, 'Deployment').spec.template.spec.containers
    const folders = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    t.match(check(t, { ...data, CORS_ORIGIN: 'https://shop.test' }, folders), expected)
  })
}

t.test('Compose', async t => {
  const { services } = parse(readFileSync(join(root, 'deploy/compose.merchants.yaml'), 'utf8'), { merge: true })
  t.strictSame(services.one, services.other)
  const [, folder] = services.one.volumes[0].split(':')
  t.match(services.one.volumes[0], /^\.\/merchants:.*:ro$/, 'a folder, in which a replaced file is seen')
  const environment: Record<string, string> = { ...compose.services.one!.environment, ...services.one.environment }
  const { AUDIT_FILE, ...variables } = environment
  t.match(AUDIT_FILE, /^\//)
  t.match(check(t, variables, [folder]), expected)
})

t.test('systemd', { skip: lacking('systemd-analyze') }, async t => {
  const unit = join(t.testdir(), 'payment-signature.service')
  mkdirSync(`${unit}.d`)
  copyFileSync(join(root, 'deploy/systemd/payment-signature.service'), unit)
  const conf = readFileSync(join(root, 'deploy/systemd/merchants.conf'), 'utf8')
  writeFileSync(`${unit}.d/merchants.conf`, conf)
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  t.strictSame([status, stderr], [0, ''])
  t.match(conf, /^LoadCredential=$/m)
  const [, assignments = ''] = /^Environment=(.*)$/m.exec(conf)!
  const variables = Object.fromEntries(assignments.split(' ').map(pair => pair.split('=')))
  t.match(check(t, { NODE_ENV: 'production', ...variables }, ['/etc/payment-signature']), expected)
})
