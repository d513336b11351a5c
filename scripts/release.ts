import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Node.js 24 runs this file without a build, because it imports no other file of this repository. So the job that may
// write to the repository installs nothing.

const usage = `Usage: node scripts/release.ts COMMAND

  check TAG         check that the tag, package.json, client/package.json, package-lock.json and CHANGELOG.md have the
                    same version; in a workflow, also that both packages name the repository, and Dockerfile digests
  notes TAG         what CHANGELOG.md says of it
  sbom [FILE…]      what runs, in CycloneDX: the packages of the lockfile, and of each image that a FILE is about, as
                    scripts/image-packages.ts has printed it there
`

interface Component { type: string, name: string, version: string, purl: string, 'bom-ref': string, cpe?: string }
interface NpmComponent extends Component { properties: Array<{ name: string }> }
interface Dependency { ref: string, dependsOn: string[] }
interface Bom { metadata: { component: Component }, components: Component[], dependencies: Dependency[] }

/** Output of scripts/image-packages.ts. */
interface Image { node: string, npm: string[], debian: Array<{ name: string, version: string, architecture: string }> }

class ReleaseError extends Error {}

const text = (path: string): string => readFileSync(path, 'utf8')
const json = (path: string) => JSON.parse(text(path))

/** Returns the version of a tag. */
function versionOf (tag = ''): string {
  const [, version] = /^v(\d+\.\d+\.\d+)$/.exec(tag) ?? []
  if (version === undefined) throw new ReleaseError(`the tag is "${tag}"; it must be v and a version, such as v1.2.3`)
  return version
}

/** Returns the section of a version in the changelog, without its heading. */
function notes (version: string): string {
  const sections = text('CHANGELOG.md').split(/^## /m).map(section => /^(\S*).*\n([^]*)/.exec(section))
  const found = sections.find(section => section?.[1] === version)?.[2]?.trim()
  if (!found) throw new ReleaseError(`CHANGELOG.md has nothing under "## ${version}"; rename "## Unreleased"`)
  return found
}

function check (version: string): void {
  const { packages, ...lockfile } = json('package-lock.json')
  for (const [file, found] of [
    ['package.json', json('package.json').version],
    ['client/package.json', json('client/package.json').version],
    ['package-lock.json', lockfile.version],
    ['package-lock.json', packages[''].version],
    ['package-lock.json', packages.client.version]
  ]) {
    if (found === version) continue
    throw new ReleaseError(`${file} has version ${found}, the tag is v${version}: run npm version --no-git-tag-version --workspaces --include-workspace-root ${version}`)
  }
  notes(version)
  const { GITHUB_REPOSITORY: repository } = process.env
  if (repository === undefined) return
  if (json('package.json').repository !== `github:${repository}`) {
    throw new ReleaseError(`package.json must have "repository": "github:${repository}", or npm refuses the provenance`)
  }
  if (json('client/package.json').repository.url !== `git+https://github.com/${repository}.git`) {
    throw new ReleaseError(`client/package.json must have the url "git+https://github.com/${repository}.git" in "repository"`)
  }
  const [moving] = /^FROM (?!.*@sha256:[0-9a-f]{64}\b).*/m.exec(text('Dockerfile')) ?? []
  if (moving !== undefined) {
    throw new ReleaseError(`Dockerfile has "${moving}", whose image may change: append the @sha256:… that ` +
      '`docker buildx imagetools inspect` prints')
  }
}

/** Returns the packages of the lockfile that production runs, each once. */
function lockfileBom (): Bom {
  const bom: Bom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26
  }))
  // --omit=dev omits some packages that production runs: https://github.com/npm/cli/issues/7909
  const components = (bom.components as NpmComponent[])
    .filter(({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'))
    .filter(component => !component['bom-ref'].startsWith(`${json('client/package.json').name}@`)) // no part of the service
  const refs = new Set([bom.metadata.component, ...components].map(component => component['bom-ref']))
  const dependencies = bom.dependencies.filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))
  bom.metadata.component.name = json('package.json').name // npm uses the name of the folder
  return { ...bom, components, dependencies }
}

/** Returns the packages of an image that are not in the lockfile. */
function imageComponents ({ node, npm, debian }: Image, { components }: Bom): Component[] {
  const strange = npm.filter(name => !components.some(component => component['bom-ref'] === name))
  if (strange.length > 0) throw new ReleaseError(`in the image, but not among what runs of the lockfile: ${strange.join(', ')}`)
  const purls = debian.map(({ name, version, architecture }) => ({
    name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  }))
  return [
    { name: 'node', version: node, purl: `pkg:generic/node@${node}`, cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*` },
    ...purls
  ].map(component => ({ type: component.name === 'node' ? 'platform' : 'library', ...component, 'bom-ref': component.purl }))
}

function sbom (images: Image[]): string {
  const bom = lockfileBom()
  const components = new Map([...bom.components, ...images.flatMap(image => imageComponents(image, bom))]
    .map(component => [component['bom-ref'], component]))
  return JSON.stringify({ ...bom, components: [...components.values()] }, null, 2)
}

const [command, ...rest] = process.argv.slice(2)
try {
  if (command === 'check') check(versionOf(rest[0]))
  else if (command === 'notes') process.stdout.write(`${notes(versionOf(rest[0]))}\n`)
  else if (command === 'sbom') process.stdout.write(`${sbom(rest.map(json))}\n`)
  else throw new ReleaseError(usage)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
