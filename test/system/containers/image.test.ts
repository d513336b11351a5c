import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import {
  baseImages, build, builtImage, environment, isStandIn, podman, podmanOptions, podmanOutput, runContainer,
  withoutContainers
} from '../../support/containers.js'
import { substitute } from '../../support/documentation.js'
import { containerCommands, containerRun } from '../../support/documented.js'
import { production, sign } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { load } from '../../support/load.js'
import { send } from '../../support/send.js'
import { root } from '../../support/server.js'

// Builds the Dockerfile and runs the image with the commands of docs/deploy.md.

const skip = withoutContainers
const image = skip === false ? builtImage() : ''
const [nodeImage = '', distroless = ''] = baseImages()
const documentedImage = 'payment-signature-backend:0.1.0'
const listening = /listening at http:\/\/0\.0\.0\.0:\d+, .* key check value b0d3a2/

/** Returns the paths of all files of an image, without the leading slash. */
function contents (t: Test, image: string): string[] {
  const id = podmanOutput('create', image, 'none')
  t.teardown(() => podman('rm', id))
  const archive = join(t.testdir(), 'contents.tar')
  podmanOutput('export', '--output', archive, id)
  return execFileSync('tar', ['-tf', archive], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
}

/** Returns the size of an image in bytes. */
const sizeOf = (image: string) => Number(podmanOutput('image', 'inspect', '--format', '{{.Size}}', image))

/** Creates a folder with the token as the secret of a user. */
function secrets (t: Test, owner: number, group: number, mode: number): string {
  const folder = t.testdir({ 'merchant-token': production.token })
  chmodSync(folder, 0o755)
  const path = join(folder, 'merchant-token')
  chmodSync(path, mode)
  chownSync(path, owner, group)
  return folder
}

/** Runs the documented container with additional variables. */
async function run (t: Test, folder: string, variables: Record<string, string> = {}, user = '12345') {
  const port = await freePort()
  const command = substitute(containerRun, {
    [documentedImage]: image,
    '/etc/payment-signature:': `${folder}:`,
    '--user 12345': `--user ${user}`,
    '--restart unless-stopped ': '' // conflicts with --rm
  })
  const all = Object.entries({ PORT: port, ...variables }).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  return { ...runContainer(t, command, all), port }
}

t.test('the image contains only what production needs', { skip }, async t => {
  const base = contents(t, nodeImage)
  for (const path of ['usr/local/bin/npm', 'usr/bin/apt-get']) t.ok(base.includes(path), `${path} is in the image that it is built in`)

  const paths = contents(t, image)
  const programs = paths.filter(path => /(^|\/)s?bin\/[^/]+$/.test(path) && !path.startsWith('app/'))
    .filter(path => path !== 'usr/sbin/tzconfig') // a script of tzdata in distroless, which has no shell to run it
  t.strictSame(programs, ['usr/local/bin/node'], 'Node.js is the only program: no shell, no npm, no compiler')

  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean, devOptional?: boolean, link?: boolean }>
  }
  const needed = Object.entries(packages).filter(([path, { dev, devOptional, link }]) =>
    path.startsWith('node_modules/') && !link && !dev && !devOptional)
  t.strictSame(
    paths.flatMap(path => /^app\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\/package\.json$/.exec(path)?.[1] ?? []).sort(),
    needed.map(([path]) => path).sort(), 'the packages of production, and no others')
  t.strictSame(paths.filter(path => /^app\/([^/]+|dist\/[^/]+)\/?$/.test(path)).sort(), [
    'app/LICENSE', 'app/dist/', 'app/dist/plugins/', 'app/dist/routes/', 'app/dist/src/', 'app/dist/tools/',
    'app/node_modules/', 'app/openapi.json', 'app/package.json', 'app/vectors/'
  ])
  t.strictSame(paths.filter(path => path.startsWith('app/') && /\/test\/|\.map$|\.d\.[cm]?ts$|\.env|\.npmrc/.test(path)), [])
})

t.test('the image has at most its documented size', { skip }, async t => {
  const [all, base] = [sizeOf(image), sizeOf(distroless)]
  const node = Number(podmanOutput('run', '--rm', '--network', 'host', '--entrypoint', 'node', image,
    '-p', 'fs.statSync(process.execPath).size'))
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  t.comment(`${megabytes(all)} MB: ${megabytes(base)} distroless${isStandIn(distroless) ? ' (a stand-in)' : ''}, ` +
    `${megabytes(node)} Node.js, ${megabytes(all - base - node)} the service`)
  t.ok(all - base - node < 60e6)
})

t.test('the same commit gives the same image', { skip }, async t => {
  const again = build(`${image}-again`)
  t.teardown(() => podman('rmi', '--force', again))
  const folder = t.testdir()
  const digests = [image, again].map((name, index) => {
    // buildah writes the ID of its build container to images of Docker's format, and not to images of OCI's.
    podmanOutput('push', '--format', 'oci', '--digestfile', join(folder, 'digest'), name, `dir:${join(folder, String(index))}`)
    return readFileSync(join(folder, 'digest'), 'utf8')
  })
  t.match(digests[0], /^sha256:/)
  t.equal(digests[0], digests[1])
})

t.test('the image has its documented settings', { skip }, async t => {
  const [{ Config, Healthcheck }] = JSON.parse(podmanOutput('image', 'inspect', image))
  const main = '/app/dist/tools/command-line/payment-signature.js'
  t.strictSame(Config.Entrypoint, ['/usr/local/bin/node', '--disable-sigusr1', main])
  t.strictSame(Config.Cmd, ['serve'])
  t.strictSame(Healthcheck.Test, ['CMD', '/usr/local/bin/node', main, 'healthcheck'])
  t.equal(Config.User, '65532:65532')
  t.match(Config.Labels, {
    'org.opencontainers.image.title': 'payment-signature-backend', 'org.opencontainers.image.licenses': 'MIT'
  })
})

t.test('without a token it does not start', { skip }, async t => {
  const { stderr, status } = podman('run', '--rm', '--network', 'host', image)
  t.match(stderr, 'NODE_ENV=production refuses the development token')
  t.equal(status, 1)
})

t.test('other commands', { skip }, async t => {
  const folder = secrets(t, 12345, 12345, 0o400) // an earlier step of the document
  const outputs = []
  for (const command of containerCommands.replaceAll('\\\n', '').trim().split('\n')) {
    const container = runContainer(t, substitute(command, {
      [documentedImage]: image, ...command.includes('/etc') && { '/etc/payment-signature:': `${folder}:` }
    }), [])
    t.equal(await container.ended, 0, container.output())
    outputs.push(container.output())
  }
  t.match(outputs, [/^NODE_ENV=production$[^]*key check value b0d3a2/m, /^b0d3a2$/m])
})

for (const { user, owner, group, mode } of [
  { user: '12345', owner: 12345, group: 0, mode: 0o400 },
  { user: '1000650000:0', owner: 0, group: 0, mode: 0o440 } // a user of OpenShift
]) {
  t.test(`the documented command signs in 256 MiB as the user ${user}`, { skip }, async t => {
    const container = await run(t, secrets(t, owner, group, mode), { ADMIN_PORT: '0', DOCS: 'true' }, user)
    await container.says(listening)
    t.notMatch(container.output(), 'can be read by every user')
    t.same(await sign(container.port, production.body), { signature: production.signature })

    t.equal((await fetch(`http://127.0.0.1:${container.port}/openapi.json`)).status, 200)

    const clients = load(container.port, 0, production)
    await clients.until(5000)
    const { status, stdout, stderr } = podman('healthcheck', 'run', container.name)
    t.equal(status, 0, `healthy: ${stdout}${stderr}`)
    t.strictSame((await clients.stop()).failures, [])
    const admin = /metrics at (\S+)"/.exec(container.output())?.[1] ?? ''
    const metrics = await (await fetch(admin)).text()
    t.match(metrics, 'payment_signature_connections_max 976\n', 'the limit of open files is 1024 here')
    const [, resident = ''] = /^process_resident_memory_bytes (\d+)/m.exec(metrics) ?? []
    t.comment(`resident memory ${(Number(resident) / 1e6).toFixed(0)} MB`)
    podmanOutput('kill', '--signal', 'TERM', container.name)
    t.equal(await container.ended, 0)
  })
}

t.test('the documented container survives 400 clients that send bodies of 100 kB at once', { skip }, async t => {
  const container = await run(t, secrets(t, 12345, 0, 0o400))
  await container.says(listening)
  const long = production.body.padEnd(100_000)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const statuses = new Map<number | undefined, number>()
  await Promise.all(Array.from({ length: 400 }, async () => {
    for (let count = 0; count < 10; count++) {
      const { statusCode: status } = await send(container.port, { agent, body: long })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }))
  t.comment(statuses)
  t.strictSame([...statuses.keys()].filter(status => status !== 200 && status !== 503), [], 'bodies share 8 MiB; more get 503')
  t.ok(statuses.get(200)! > 1000)
  t.same(await sign(container.port, production.body), { signature: production.signature })
  podmanOutput('kill', '--signal', 'TERM', container.name)
  t.equal(await container.ended, 0)
})

t.test('the SBOM contains all packages of the image', { skip }, async t => {
  const { status, stdout, stderr } = spawnSync('podman', [
    ...podmanOptions(), 'run', '--rm', '--interactive', '--network', 'none', '--entrypoint', '/usr/local/bin/node',
    image, '--input-type=module-typescript'
  ], { input: readFileSync(join(root, 'scripts/image-packages.ts')), encoding: 'utf8', env: environment() })
  t.equal(status, 0, stderr)
  const { debian, npm } = JSON.parse(stdout)
  t.ok(debian.length >= 5 && npm.length > 30, `${debian.length} of Debian, ${npm.length} of npm`)

  const sbom = execFileSync('env', ['-i', process.execPath, join(root, 'dist/scripts/release.js'), 'sbom',
    join(t.testdir({ 'image.json': stdout }), 'image.json')], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const purls: string[] = JSON.parse(sbom).components.map(({ purl }: { purl: string }) => purl)
  t.match(purls.find(purl => purl.startsWith('pkg:generic/')), /^pkg:generic\/node@24\.\d+\.\d+$/)
  t.match(purls.find(purl => purl.includes('/libc6@')), /^pkg:deb\/debian\/libc6@2\.36-\S+\?arch=\w+$/)
  t.equal(purls.filter(purl => purl.startsWith('pkg:npm/')).length, new Set(npm).size)
})
