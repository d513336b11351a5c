import { readFileSync } from 'node:fs'

// Node.js 24 runs this file without a build, because it imports no other file of this repository. So the job that may
// write to the repository installs nothing.

const usage = `Usage: node scripts/release.ts COMMAND

  check TAG         check that the tag, package.json, client/package.json, package-lock.json and CHANGELOG.md have the
                    same version; in a workflow, also that both packages name the repository, and Dockerfile digests
  notes TAG         what CHANGELOG.md says of it
`

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

const [command, tag] = process.argv.slice(2)
try {
  if (command === 'check') check(versionOf(tag))
  else if (command === 'notes') process.stdout.write(`${notes(versionOf(tag))}\n`)
  else throw new ReleaseError(usage)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
