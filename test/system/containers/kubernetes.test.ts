import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseAllDocuments, stringify } from 'yaml'
import { testApp } from '../../support/app.js'
import { answering, backend } from '../../support/backend.js'
import { builtImage, podman, podmanOutput, startPodman, withoutContainers } from '../../support/containers.js'
import { substitute } from '../../support/documentation.js'
import { production, request, sign } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { portOf } from '../../support/http.js'
import { root } from '../../support/server.js'

// Validates the objects of deploy/kubernetes.yaml, and runs the pod. There is no cluster.

/** A Kubernetes object. Its schema validates the fields. */
type Manifest = { apiVersion: string, kind: string, metadata: { name: string }, [property: string]: any }

const manifests = parseAllDocuments(substitute(readFileSync(join(root, 'deploy/kubernetes.yaml'), 'utf8'), {
  'PASTE THE ACCOUNT NUMBER': '102551', 'shop.example': 'shop.test', 'registry.example': 'registry.test', '192.0.2.0/24': '10.0.0.0/8'
})).map(document => document.toJS() as Manifest)

t.test('each object is valid, and selectors find the pods', async t => {
  t.strictSame(manifests.map(({ kind }) => kind), ['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy', 'Ingress'])
  for (const manifest of manifests) {
    const { apiVersion, kind, spec } = manifest
    const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}/${kind}`)
    t.doesNotThrow(() => new Model(manifest).validate(), kind)
    const selector = spec?.selector ?? spec?.podSelector
    if (selector) t.match(JSON.stringify(selector), '{"app.kubernetes.io/name":"payment-signature"}', kind)
  }
})

const variablesOf = (deployment: Manifest): Array<{ name: string, value: string }> =>
  deployment.spec.template.spec.containers[0].env

t.test('until AUTHORIZE_URL is replaced, nothing is signed', async t => {
  const { value: AUTHORIZE_URL = '' } = variablesOf(manifests[1]!).find(({ name }) => name === 'AUTHORIZE_URL') ?? {}
  const { app } = testApp(t, { config: { AUTHORIZE_URL } })
  const response = await request(await portOf(app), production.body)
  t.strictSame([response.status, response.headers.get('error-code')], [503, 'authorization-unavailable'])
})

t.test('the pod signs read-only and not as root, and stops in time', { skip: withoutContainers }, async t => {
  const id = randomUUID().slice(0, 8)
  const [port, admin] = [await freePort(), await freePort()]
  const [policy, deployment] = structuredClone(manifests) as [Manifest, Manifest]
  deployment.metadata.name = `payment-signature-${id}`
  deployment.spec.replicas = 1
  const { containers: [container], terminationGracePeriodSeconds } = deployment.spec.template.spec
  container.image = builtImage()
  delete container.ports // limits of this machine, which podman refuses
  const values: Record<string, string> = { ADMIN_PORT: String(admin), AUTHORIZE_URL: await backend(t, answering(200, '{"allowed":true}')) }
  for (const variable of variablesOf(deployment)) variable.value = values[variable.name] ?? variable.value
  container.env.push({ name: 'PORT', value: String(port) })
  // podman 4.3 does not decode base64, and needs the secret before the pod.
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'payment-signature-token' }, data: { 'merchant-token': production.token } }

  const pod = `payment-signature-${id}-pod-0`
  const name = `${pod}-payment-signature`
  const unique = (text: string) => text.replaceAll(/\bpayment-signature-(token|policy)\b/g, `$&-${id}`)
  t.teardown(() => {
    podman('pod', 'rm', '--force', '--ignore', '--time', '0', pod)
    podman('volume', 'rm', '--force', unique('payment-signature-token'), unique('payment-signature-policy'))
    podman('secret', 'rm', unique('payment-signature-token'))
  })
  for (const objects of [[secret], [policy, deployment]]) {
    const path = join(t.testdir(), 'play.yaml')
    writeFileSync(path, unique(objects.map(object => stringify(object)).join('---\n')))
    podmanOutput('play', 'kube', '--network', 'host', '--log-driver', 'k8s-file', path)
  }

  const log = startPodman(t, 'logs', '--follow', name)
  await log.says(/listening at http:\/\/0\.0\.0\.0:\d+, .*key check value b0d3a2/)
  t.same(await sign(port, production.body), { signature: production.signature })
  t.equal((await fetch(`http://127.0.0.1:${admin}/ready`)).status, 200)
  const [{ HostConfig, Config, EffectiveCaps }] = JSON.parse(podmanOutput('inspect', name))
  t.match(HostConfig, { ReadonlyRootfs: true, Memory: 256 * 1024 * 1024, SecurityOpt: ['no-new-privileges'] })
  t.same(EffectiveCaps ?? [], [])
  t.equal(Config.User, '65532:65532')
  await startPodman(t, 'pod', 'stop', '--time', String(terminationGracePeriodSeconds), pod).ended
  t.equal(podmanOutput('inspect', '--format', '{{.State.ExitCode}}', name), '0')
})
