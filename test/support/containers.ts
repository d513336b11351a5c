import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { lacking } from './installed.js'
import { root, start, type Scope, type Server } from './server.js'

/** Cache for later runs: the base images, which take a minute to build, and the image of an unchanged checkout. */
const folder = join(tmpdir(), 'payment-signature-containers')

/** Value for a test's `skip`: the reason why containers cannot be built and run, or false. */
export const withoutContainers: string | false = lacking('podman', 'runc', 'catatonit', 'debootstrap') ||
  (process.getuid?.() !== 0 && 'only root can do so with podman and cgroups of version 1')

/** Value for a test's `skip`: the reason why containers cannot get chosen addresses, or false. */
export const withoutNetworks: string | false = withoutContainers || lacking('/usr/lib/podman/netavark', 'iptables')

/** Returns the environment of podman: without the NODE_OPTIONS of the test runner, which builds would inherit. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH, HOME: process.env.HOME, CONTAINERS_CONF: join(folder, 'containers.conf')
})

/** Creates the folder, and returns `overlay` if the kernel and the file system support overlays. */
function storageDriver (): string {
  mkdirSync(folder, { recursive: true })
  // A root user without CAP_SYS_RESOURCE cannot set higher limits. crun refuses hybrid cgroups.
  writeFileSync(join(folder, 'containers.conf'), `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
${withoutNetworks === false ? '[network]\nnetwork_backend = "netavark"\n' : ''}`)
  const { status } = spawnSync('podman', [...storage('overlay'), 'info'], { env: environment() })
  return status === 0 ? 'overlay' : 'vfs'
}
const storage = (driver: string): string[] =>
  ['--root', join(folder, driver), '--runroot', join(folder, `run-${driver}`), '--storage-driver', driver]
let driver: string | undefined

/** Returns podman's arguments before a command. They select a separate storage, not the user's. */
const podmanOptions = (): string[] => storage(driver ??= storageDriver())

/** Runs podman to its end; returns its exit code and output. */
export function podman (...args: string[]): { status: number | null, stdout: string, stderr: string } {
  return spawnSync('podman', [...podmanOptions(), ...args], { encoding: 'utf8', env: environment(), maxBuffer: 2 ** 26 })
}

/** Runs podman and returns its output. Throws if podman fails. */
export function podmanOutput (...args: string[]): string {
  const { status, stdout, stderr } = podman(...args)
  if (status !== 0) throw new Error(`podman ${args.join(' ')} ended with ${status}:\n${stderr}${stdout}`)
  return stdout.trim()
}

/** Starts podman, such as `run` in the foreground, and ends it with the test. */
export const startPodman = (t: Scope, ...args: string[]): Server =>
  start(t, 'podman', [...podmanOptions(), ...args], { cwd: folder, env: environment() })

/** Returns the mirror from which this machine gets Debian's packages. */
const mirror = () => execFileSync('apt-get', ['indextargets', '--format', '$(SITE)', 'Created-By: Packages'], { encoding: 'utf8' })
  .split('\n').find(site => site.endsWith('/debian')) ?? 'http://deb.debian.org/debian'

/** Returns a folder with Debian 12. The folder is created once. */
function debian (): string {
  const path = join(folder, 'debian')
  if (existsSync(path)) return path
  const unfinished = mkdtempSync(join(folder, 'unfinished-'))
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', unfinished, mirror()], { stdio: 'pipe' })
  chmodSync(unfinished, 0o755)
  rmSync(join(unfinished, 'var/cache/apt'), { recursive: true })
  renameSync(unfinished, path)
  return path
}

/** Fills an image with Debian, Node.js from the npm package `node`, and this machine's npm with its settings. */
function nodeImage (image: string, rootfs: string): void {
  const [, version = ''] = /:([\d.]+)-/.exec(image) ?? []
  execFileSync('cp', ['-a', `${debian()}/.`, rootfs])
  const local = join(rootfs, 'usr/local')
  const packed = mkdtempSync(join(folder, 'unfinished-'))
  const run = (command: string, ...args: string[]) => execFileSync(command, args, {
    cwd: packed, encoding: 'utf8', env: environment(), stdio: ['ignore', 'pipe', 'pipe']
  }).trim()
  const tarball = run('npm', 'pack', '--silent', `node-linux-${process.arch}@${version}`).split('\n').at(-1) ?? ''
  run('tar', '-xzf', tarball, '--strip-components=2', '-C', join(local, 'bin'), 'package/bin/node')
  const npm = join(local, 'lib/node_modules/npm')
  mkdirSync(dirname(npm), { recursive: true })
  cpSync(join(run('npm', 'root', '--global'), 'npm'), npm, { recursive: true })
  for (const name of ['npm', 'npx']) run('ln', '-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  const ca = run('npm', 'config', 'get', 'cafile')
  const trusts = ca !== 'null' && ca !== ''
  if (trusts) copyFileSync(ca, join(rootfs, 'etc/ssl/certs/npm.crt'))
  mkdirSync(join(local, 'etc'), { recursive: true })
  writeFileSync(join(local, 'etc/npmrc'), `registry=${run('npm', 'config', 'get', 'registry')}\n` +
    (trusts ? 'cafile=/etc/ssl/certs/npm.crt\n' : ''))
  rmSync(packed, { recursive: true })
}

/** Copies a program of this machine, and the libraries that it is linked with, to the folder of an image. */
export function copyProgram (rootfs: string, program: string): void {
  const libraries = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.match(/\/\S+(?= \(0x)/g) ?? []
  for (const path of [program, ...libraries]) cpSync(path, join(rootfs, path), { dereference: true })
}

/** Fills an image with what Node.js needs: no shell, apt and npm. */
function distrolessImage (_image: string, rootfs: string): void {
  copyProgram(rootfs, process.execPath) // for its libraries
  rmSync(join(rootfs, process.execPath))
  for (const path of ['etc/ssl/certs/ca-certificates.crt', 'etc/nsswitch.conf']) cpSync(`/${path}`, join(rootfs, path))
  writeFileSync(join(rootfs, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n')
  mkdirSync(join(rootfs, 'tmp'))
  chmodSync(join(rootfs, 'tmp'), 0o1777)
}

const PATH = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const standIns = [
  { image: /\/node:/, fill: nodeImage, changes: [PATH] },
  { image: /\/distroless\//, fill: distrolessImage, changes: [PATH, 'USER 65532'] }
]

/**
 * Loads an image into the storage, once: from its registry, or if the registry is not reached, a stand-in made of
 * Debian's packages under the same name.
 *
 * @param fill - writes the files of the stand-in to an empty folder
 * @param changes - instructions of a Dockerfile, such as `USER 65532`
 */
export function provide (
  image: string, fill: (image: string, rootfs: string) => void, changes: string[] = []
): void {
  if (podman('image', 'exists', image).status === 0 || podman('pull', '--quiet', image).status === 0) return
  const rootfs = mkdtempSync(join(folder, 'unfinished-'))
  chmodSync(rootfs, 0o755)
  fill(image, rootfs)
  const tarball = `${rootfs}.tar`
  execFileSync('tar', ['-C', rootfs, '--sort=name', '-cf', tarball, '.'])
  podmanOutput('import', ...changes.flatMap(change => ['--change', change]), tarball, image)
  rmSync(tarball)
  rmSync(rootfs, { recursive: true })
}

/** Returns the base images of the Dockerfile. */
const baseImages = (): string[] =>
  [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)

/** Returns a hash of the paths and the contents of all files that `docker build` copies. */
function hashOf (paths: string[]): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) return readdirSync(path).sort().forEach(name => add(join(path, name)))
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  }
  paths.forEach(path => add(join(root, path)))
  return hash.digest('hex').slice(0, 12)
}

/** Builds the Dockerfile. */
function build (tag: string): void {
  for (const image of baseImages()) {
    const { fill, changes } = standIns.find(({ image: pattern }) => pattern.test(image)) ?? {}
    if (fill === undefined) throw new Error(`there is no stand-in for ${image}`)
    provide(image, fill, changes)
  }
  // Packages come from this machine's cache of npm, if it has one.
  const cache = join(process.env.HOME ?? '', '.npm')
  mkdirSync(cache, { recursive: true })
  // Without intermediate images, whose layers would also be written. npm opens more than 1024 files at a time.
  podmanOutput('build', '--isolation', 'chroot', '--format', 'docker', '--pull=never', '--timestamp', '0', '--layers=false',
    '--ulimit', 'nofile=4096:4096', '--volume', `${cache}:/root/.npm`, '--tag', tag, root)
}

/** Returns the name of the image of this checkout. Builds the image if a file has changed since the last build. */
export function builtImage (): string {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
  const copied = [...ignored.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  const repository = `localhost/payment-signature-backend-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`
  const image = `${repository}:${hashOf(['Dockerfile', '.dockerignore', ...copied])}`
  if (podman('image', 'exists', image).status === 0) return image
  const older = podmanOutput('images', '--quiet', repository).split('\n').filter(id => id !== '')
  if (older.length > 0) podman('rmi', '--force', ...older)
  build(image)
  return image
}

/**
 * Runs a container in the foreground, as a document shows it, and removes it with the test.
 *
 * @param command - begins with `docker run`, and names the container `payment-signature`
 * @returns the process, and the container's name
 */
export function runContainer (t: Scope, command: string, options: string[]): Server & { name: string } {
  const name = `payment-signature-${randomUUID()}`
  const words = ['podman', ...podmanOptions(), 'run', '--rm', '--network', 'host', ...options]
  const line = command.replace(/^docker run( --detach)?/, words.join(' ')).replace('--name payment-signature', `--name ${name}`)
  t.teardown(() => podman('rm', '--force', '--ignore', '--time', '0', name))
  return { ...start(t, 'sh', ['-c', `exec ${line}`], { cwd: folder, env: environment() }), name }
}
