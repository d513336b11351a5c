import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { builtImage, podman, podmanOutput, runContainer, withoutContainers } from '../../support/containers.js'
import { production, sign } from '../../support/example.js'
import { freePort } from '../../support/free-port.js'
import { root } from '../../support/server.js'

// Builds the Dockerfile and runs the image with the limits of deploy/compose.yaml. compose.test.ts runs that file.

const skip = withoutContainers
const image = skip === false ? builtImage() : ''

/** Creates a folder with the token as the secret of the image's user. */
function secrets (t: Test): string {
  const folder = t.testdir({ 'merchant-token': production.token })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'merchant-token'), 0o400)
  chownSync(join(folder, 'merchant-token'), 65532, 65532)
  return folder
}

t.test('the image runs serve, without an inspector', async t => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const argumentsOf = (name: string): string[] => JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(dockerfile)![1]!)
  t.strictSame(argumentsOf('ENTRYPOINT'), ['/usr/local/bin/node', '--disable-sigusr1', '/app/dist/tools/command-line/payment-signature.js', 'serve'])
})

t.test('the image contains only what production needs', { skip }, async t => {
  const id = podmanOutput('create', image, 'none')
  t.teardown(() => podman('rm', id))
  const archive = join(t.testdir(), 'contents.tar')
  podmanOutput('export', '--output', archive, id)
  const paths = execFileSync('tar', ['-tf', archive], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
  const programs = paths.filter(path => /(^|\/)s?bin\/[^/]+$/.test(path) && !path.startsWith('app/'))
    .filter(path => path !== 'usr/sbin/tzconfig') // a script of tzdata in distroless, which has no shell to run it
  t.strictSame(programs, ['usr/local/bin/node'], 'Node.js is the only program: no shell, no npm, no compiler')

  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean, devOptional?: boolean, link?: boolean }>
  }
  const needed = Object.entries(packages).filter(([path, { dev, devOptional, link }]) =>
    path.startsWith('node_modules/') && !link && !dev && !devOptional)
  const packagePath = /^app\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\/package\.json$/
  t.strictSame(paths.flatMap(path => packagePath.exec(path)?.[1] ?? []).sort(), needed.map(([path]) => path).sort())
  t.strictSame(paths.filter(path => path.startsWith('app/') && /\/test\/|\.map$|\.d\.[cm]?ts$|\.env|\.npmrc/.test(path)), [])
})

t.test('it signs read-only and without rights, is healthy and stops', { skip }, async t => {
  const port = await freePort()
  const command = 'docker run --name payment-signature --read-only --cap-drop all --security-opt no-new-privileges --memory 256m ' +
    `--pids-limit 256 --env MERCHANT_TOKEN_FILE=/run/secrets/merchant-token --volume ${secrets(t)}:/run/secrets:ro ${image}`
  const container = runContainer(t, command, ['--env', `PORT=${port}`])
  await container.says(/listening at http:\/\/0\.0\.0\.0:\d+, .* key check value b0d3a2/)
  t.same(await sign(port, production.body), { signature: production.signature })
  t.equal((await fetch(`http://127.0.0.1:${port}/:(/`)).status, 404, 'a path is no pattern')
  t.match(podman('healthcheck', 'run', container.name), { status: 0 })
  podmanOutput('kill', '--signal', 'TERM', container.name)
  t.equal(await container.ended, 0)

  const { stderr, status } = podman('run', '--rm', '--network', 'host', image)
  t.match(stderr, 'NODE_ENV=production refuses the development token')
  t.equal(status, 2)
})
