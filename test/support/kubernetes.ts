import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parseAllDocuments, stringify } from 'yaml'
import { podman, podmanOutput, startPodman } from './containers.js'
import { substitute } from './documentation.js'
import { root, type Server } from './server.js'

const version = /Kustomize Version: v(\d+)/.exec(spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' }).stdout ?? '')

/** Value for a test's `skip`: the reason why manifests cannot be rendered, or false. */
export const withoutKubectl = !(Number(version?.[1]) >= 5) && 'there is no kubectl with Kustomize 5, which Debian does not have'

/** A Kubernetes object. Its schema validates the fields. */
type Manifest = { apiVersion: string, kind: string, metadata: { name: string }, [property: string]: any }

/** Files to fill in, with the values that replace their placeholders. */
const own = {
  'kustomization.yaml': { 'registry.example': 'registry.test', 'https://shop.example': 'https://shop.test', '192.0.2.0/24': '10.0.0.0/8' },
  'ingress.yaml': { 'sign.shop.example': 'sign.shop.test' },
  'policy.json': { 'PASTE THE ACCOUNT NUMBER': '102551' }
}

/** Returns the objects of the production overlay, filled in as docs/deploy.md describes. */
export function render (t: Test): Manifest[] {
  const copy = t.testdir()
  cpSync(join(root, 'deploy/kubernetes'), copy, { recursive: true })
  for (const [name, values] of Object.entries(own)) {
    const file = join(copy, 'production', name)
    writeFileSync(file, substitute(readFileSync(file, 'utf8'), values))
  }
  const rendered = execFileSync('kubectl', ['kustomize', join(copy, 'production')], { encoding: 'utf8' })
  return parseAllDocuments(rendered).map(document => document.toJS() as Manifest)
}

/** Returns the object of a kind whose name has a prefix. Throws if there is none. */
export function find (manifests: Manifest[], kind: string, name = ''): Manifest {
  const found = manifests.find(manifest => manifest.kind === kind && manifest.metadata.name.startsWith(name))
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}

interface Pod {
  log: Server
  /** The name of its container. */
  container: string
  /** Stops the pod as a node does, and resolves with its exit code. */
  stop: () => Promise<number>
}

/**
 * Runs the pod of a Deployment with `podman play kube`.
 *
 * @param token - of letters and digits: podman 4.3 does not decode a Secret's base64
 * @param variables - replace variables of the ConfigMap
 */
export function play (
  t: Test, manifests: Manifest[], image: string, token: string, variables: Record<string, string>
): Pod {
  const id = randomUUID().slice(0, 8)
  const unique = (text: string) => text.replaceAll(/\bpayment-signature-(token|policy)\b/g, `$&-${id}`)
  const deployment = structuredClone(find(manifests, 'Deployment'))
  deployment.metadata.name = `payment-signature-${id}`
  deployment.spec.replicas = 1
  const [container] = deployment.spec.template.spec.containers
  container.image = image
  delete container.ports // limits of this machine, which podman refuses
  const configuration = structuredClone(find(manifests, 'ConfigMap', 'payment-signature-variables'))
  Object.assign(configuration.data, variables)
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'payment-signature-token' }, data: { 'merchant-token': token } }

  const pod = `payment-signature-${id}-pod-0`
  const name = `${pod}-payment-signature`
  t.teardown(() => {
    podman('pod', 'rm', '--force', '--ignore', '--time', '0', pod)
    podman('volume', 'rm', '--force', unique('payment-signature-token'), unique('payment-signature-policy'))
    podman('secret', 'rm', unique('payment-signature-token'))
  })
  for (const [file, objects] of Object.entries({
    secret: [secret], // must exist before the pod
    pod: [configuration, find(manifests, 'ConfigMap', 'payment-signature-policy'), deployment]
  })) {
    const path = join(t.testdirName, `${file}-${id}.yaml`)
    writeFileSync(path, unique(objects.map(object => stringify(object)).join('---\n')))
    podmanOutput('play', 'kube', '--network', 'host', '--log-driver', 'k8s-file', path)
  }

  return {
    log: startPodman(t, 'logs', '--follow', name),
    container: name,
    async stop () {
      const { terminationGracePeriodSeconds } = deployment.spec.template.spec
      const stopping = startPodman(t, 'pod', 'stop', '--time', String(terminationGracePeriodSeconds), pod)
      await stopping.ended // asynchronous, because other processes run in this one
      return Number(podmanOutput('inspect', '--format', '{{.State.ExitCode}}', name))
    }
  }
}
