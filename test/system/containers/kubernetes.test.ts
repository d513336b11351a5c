import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { builtImage, podmanOutput, withoutContainers } from '../../support/containers.js'
import { production, sign } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { find, play, render, withoutKubectl } from '../../support/kubernetes.js'
import { root } from '../../support/server.js'

// Renders deploy/kubernetes, validates the objects, and runs the pod. There is no cluster.

t.test('each object of the production overlay is valid, and selectors find the pods', { skip: withoutKubectl }, async t => {
  const manifests = render(t)
  t.strictSame(manifests.map(({ kind }) => kind).sort(), [
    'ConfigMap', 'ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Namespace', 'NetworkPolicy',
    'PodDisruptionBudget', 'Service', 'Service', 'ServiceMonitor'
  ])
  t.notMatch(JSON.stringify(manifests), /PASTE|\.example|192\.0\.2/, 'no placeholder is left')
  for (const manifest of manifests) {
    const { apiVersion, kind, metadata: { name } } = manifest
    const { [kind]: Model } = await import(apiVersion === 'monitoring.coreos.com/v1'
      ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
      : `kubernetes-models/${apiVersion}/${kind}`)
    t.doesNotThrow(() => new Model(manifest).validate(), `${kind} ${name}`)
    const { selector, podSelector } = manifest.spec ?? {}
    if (kind === 'ServiceMonitor') t.strictSame(selector.matchLabels, (find(manifests, 'Service', `${name}-admin`).metadata as any).labels)
    else if (selector ?? podSelector) t.match(JSON.stringify(selector ?? podSelector), '{"app.kubernetes.io/name":"payment-signature"}', kind)
  }
})

t.test('the pod signs read-only and not as root, and stops in time', { skip: withoutKubectl || withoutContainers }, async t => {
  const manifests = render(t)
  const [port, admin] = [await freePort(), await freePort()]
  const pod = play(t, manifests, builtImage(), production.token, { PORT: `${port}`, ADMIN_PORT: `${admin}` })
  await pod.log.says(/listening at http:\/\/0\.0\.0\.0:\d+, .* key check value b0d3a2/)
  t.same(await sign(port, production.body), { signature: production.signature })
  t.equal((await fetch(`http://127.0.0.1:${admin}/ready`)).status, 200)
  const [{ HostConfig, Config, EffectiveCaps }] = JSON.parse(podmanOutput('inspect', pod.container))
  t.match(HostConfig, { ReadonlyRootfs: true, Memory: 512 * 1024 * 1024, SecurityOpt: ['no-new-privileges'] })
  t.same(EffectiveCaps ?? [], [])
  t.equal(Config.User, '65532:65532')
  t.equal(await pod.stop(), 0)
})

t.test('the PrometheusRule has the rules of alerts.yaml', async t => {
  const made = execFileSync(process.execPath, ['dist/scripts/prometheus-rule.js'], { cwd: root, encoding: 'utf8' })
  t.match(parse(made), { kind: 'PrometheusRule', spec: parse(readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8')) })
})
