import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { builtImage, podmanOutput, withoutContainers } from '../../support/containers.js'
import { fencesOf, substitute } from '../../support/documentation.js'
import { scrapeConfiguration } from '../../support/documented.js'
import { production, sign } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { components, find, overlays, own, play, render, withoutKubectl } from '../../support/kubernetes.js'
import type { Manifest } from '../../support/kubernetes.js'
import { root } from '../../support/server.js'

// Renders deploy/kubernetes, checks it against the schemas, and runs its pod. There is no cluster.

const skip = withoutKubectl
const withoutPods = withoutKubectl || withoutContainers
/** Documented pattern of placeholders. */
const [, placeholders = ''] = /grep -nE '(.+)'/.exec(fencesOf('docs/deploy.md').map(({ text }) => text).join('')) ?? []

/** Returns the package and the module that contain the types and the schema of an object. */
function moduleOf ({ apiVersion, kind }: Manifest): string {
  const own = {
    'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api', 'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator'
  }[apiVersion]
  return `${own ?? 'kubernetes-models'}/${apiVersion}/${kind}`
}

for (const overlay of overlays) {
  t.test(`${overlay}: each object is valid, and has no field that Kubernetes does not know`, { skip }, async t => {
    const manifests = render(t, overlay, components)
    t.ok(manifests.length > 10)
    const text = JSON.stringify(manifests)
    t.notMatch(text, 'fill-in', 'every value is filled in')
    t.strictSame([...new Set(text.match(new RegExp(`[^"]*(?:${placeholders})[^"]*`, 'g')))].sort(), [
      'PASTE-NAMESPACE', 'http://backend.example:8080/may-sign'
    ], 'except those of redis-url and backend')
    const lines = []
    for (const [index, manifest] of manifests.entries()) {
      const { kind } = manifest
      const module = moduleOf(manifest)
      const { [kind]: Model } = await import(module)
      t.doesNotThrow(() => new Model(manifest).validate(), `${kind} ${manifest.metadata.name}`)
      lines.push(`import type { I${kind} as Type${index} } from '${module}'`,
        `export const object${index}: Type${index} = ${JSON.stringify(manifest)}`)
    }
    // The schemas allow unknown fields. TypeScript does not.
    writeFileSync(join(t.testdirName, 'objects.ts'), lines.join('\n'))
    const { stdout } = spawnSync(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext',
      '--ignoreConfig', 'objects.ts'
    ], { cwd: t.testdirName, encoding: 'utf8', env: {} })
    t.equal(stdout, '')
  })

  t.test(`${overlay}: the pod is restricted, and has enough time to stop`, { skip }, async t => {
    const manifests = render(t, overlay)
    const { spec } = find(manifests, 'Deployment').spec.template
    const [container] = spec.containers
    t.match(find(manifests, 'Namespace').metadata, { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } })
    t.match(spec, {
      automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
    })
    t.strictSame(container.securityContext, {
      allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] }
    })
    t.match(container.image, /:\d+\.\d+\.\d+$/, 'and its image is a certain one')
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) t.equal(container[probe].httpGet.port, 'admin')
    const { data } = find(manifests, 'ConfigMap', 'payment-signature-variables')
    t.ok(spec.terminationGracePeriodSeconds * 1000 >= Number(data.SHUTDOWN_DELAY) + 2000 + 18_000)
  })

  t.test(`${overlay}: each selector selects the pods`, { skip }, async t => {
    const manifests = render(t, overlay, components)
    const { selector, template } = find(manifests, 'Deployment').spec
    const labels = { 'app.kubernetes.io/name': 'payment-signature' }
    t.strictSame(template.metadata.labels, labels)
    t.strictSame(selector.matchLabels, labels)
    for (const { kind, spec, metadata } of manifests) {
      if (metadata.name === 'payment-signature-redis') {
        t.strictSame(kind === 'Service' ? spec.selector : (spec.podSelector ?? spec.selector).matchLabels, { 'app.kubernetes.io/name': 'payment-signature-redis' }, kind)
        continue
      }
      if (kind === 'Service') t.strictSame(spec.selector, labels, kind)
      if (kind === 'NetworkPolicy') t.strictSame(spec.podSelector.matchLabels, labels, kind)
      if (kind === 'PodDisruptionBudget') t.strictSame(spec.selector.matchLabels, labels, kind)
    }
    const monitored = find(manifests, 'ServiceMonitor').spec.selector.matchLabels
    t.match(find(manifests, 'Service', 'payment-signature-admin').metadata, { labels: monitored })
  })

  t.test(`${overlay}: --check names what is missing in fill-in.yaml`, { skip }, async t => {
    const check = (filledIn: Record<string, string>) => {
      const manifests = render(t, overlay, [], filledIn)
      const { data } = find(manifests, 'ConfigMap', 'payment-signature-variables')
      const { data: policy } = find(manifests, 'ConfigMap', 'payment-signature-policy')
      for (const [name, content] of [['token', production.token], ['policy.json', policy['policy.json']]] as const) {
        writeFileSync(join(t.testdirName, name), content, { mode: 0o440 })
      }
      t.equal(data.POLICY_FILE, '/etc/payment-signature/policy.json')
      t.equal(data.MERCHANT_TOKEN_FILE, '/run/secrets/payment-signature/merchant-token')
      const { NODE_OPTIONS, ...variables } = data
      t.equal(NODE_OPTIONS, '--max-old-space-size-percentage=50', 'of Node.js 24, which the image has')
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/src/server.js'), '--check'], {
        encoding: 'utf8',
        cwd: t.testdirName,
        env: { ...variables, NODE_ENV: 'production', MERCHANT_TOKEN_FILE: './token', POLICY_FILE: './policy.json' }
      })
      return { status, faults: stderr.replaceAll('payment-signature-backend: ', ''), text: JSON.stringify(manifests) }
    }
    t.match(check({}), {
      status: 1,
      faults: 'POLICY_FILE is "./policy.json": callers.0.accountNumbers.0 must be digits\n' +
        ['CORS_ORIGIN', 'TRUST_PROXY'].map(name => `${name} still has a placeholder: put your own value in its place\n`).join('')
    })
    const { text, ...checked } = check(own)
    t.strictSame(checked, { status: 0, faults: '' })
    t.notMatch(text, new RegExp(`fill-in|${placeholders}`))
    t.equal(text.includes('"REDIS_URL":"redis://payment-signature-redis:6379"'), overlay === 'production')
  })
}

t.test('a changed variable causes a rollout, a changed policy is read again', { skip }, async t => {
  const manifests = render(t, 'small')
  const { name } = find(manifests, 'ConfigMap', 'payment-signature-variables').metadata
  t.match(name, /^payment-signature-variables-[a-z0-9]{10}$/)
  const [{ envFrom }] = find(manifests, 'Deployment').spec.template.spec.containers
  t.strictSame(envFrom, [{ configMapRef: { name } }])
  t.equal(find(manifests, 'ConfigMap', 'payment-signature-policy').metadata.name, 'payment-signature-policy')
})

t.test('the Probe is the documented one, at the host of the ingress', { skip }, async t => {
  const { spec } = find(render(t, 'small', components), 'Probe')
  const [, probe] = parse(scrapeConfiguration).scrape_configs
  t.strictSame(spec, {
    jobName: probe.job_name,
    interval: probe.scrape_interval,
    scrapeTimeout: probe.scrape_timeout,
    module: probe.params.module[0],
    prober: { url: 'prometheus-blackbox-exporter.monitoring.svc:9115' },
    targets: { staticConfig: { static: ['https://sign.shop.test/api/generate-signature'] } }
  })
})

t.test('the PrometheusRule has the rules of alerts.yaml', async t => {
  const made = join(t.testdir(), 'made.yaml')
  execFileSync(process.execPath, [join(root, 'dist/scripts/prometheus-rule.js'), made])
  const rule = readFileSync(join(root, 'deploy/kubernetes/components/monitoring/prometheus-rule.yaml'), 'utf8')
  t.equal(rule, readFileSync(made, 'utf8'), 'npm run prometheus-rule makes it anew')
  t.strictSame(parse(rule).spec, parse(readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8')))
})

const listening = /listening at http:\/\/0\.0\.0\.0:\d+, .* key check value b0d3a2/

/** Writes a file to a mounted folder as the kubelet does: it replaces the link to the folder of the file. */
function swap (folder: string, name: string, content: string, version: string): void {
  mkdirSync(join(folder, version))
  writeFileSync(join(folder, version, name), content)
  symlinkSync(version, join(folder, '..data_tmp'))
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
}

t.test('the pod runs read-only and not as root, and reads a changed Secret and policy again', { skip: withoutPods }, async t => {
  const manifests = render(t, 'small')
  const [port, admin] = [await freePort(), await freePort()]
  const pod = play(t, manifests, builtImage(), production.token, { PORT: `${port}`, ADMIN_PORT: `${admin}` })
  await pod.log.says(listening)
  t.same(await sign(port, production.body), { signature: production.signature })
  t.equal((await fetch(`http://127.0.0.1:${admin}/ready`)).status, 200)

  const [{ HostConfig, Config, EffectiveCaps }] = JSON.parse(podmanOutput('inspect', pod.container))
  t.match(HostConfig, { ReadonlyRootfs: true, Memory: 256 * 1024 * 1024, SecurityOpt: ['no-new-privileges'] })
  t.same(EffectiveCaps ?? [], [])
  t.equal(Config.User, '65532:65532')
  t.match(podmanOutput('exec', pod.container, 'node', '-p', 'v8.getHeapStatistics().heap_size_limit < 200 * 2 ** 20'), 'true')

  const policy = find(manifests, 'ConfigMap', 'payment-signature-policy').data['policy.json']
  for (const [volume, name, content] of [
    ['payment-signature-token', 'merchant-token', 'anotherProductionTokenAfterIt234'],
    ['payment-signature-policy', 'policy.json', substitute(policy, { '500.00': '99.99' })]
  ] as const) {
    const folder = pod.volume(volume)
    rmSync(join(folder, name))
    swap(folder, name, content, '..2026_02')
    symlinkSync(join('..data', name), join(folder, name))
  }
  await pod.log.says(/the merchant token was replaced, key check value e1b5c2/)
  await pod.log.says(/the policy was replaced/)
  t.same(await sign(port, production.body), { error: 'caller "anonymous" may not sign an amount above 99.99 (maximumAmount)' })
  t.equal(await pod.stop(), 0)
})
