import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../support/server.js'

// Runs the commands of .github/workflows/release.yml that need neither GitHub nor a registry.

const { PATH, HOME } = process.env
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const script = join(root, 'dist/scripts/release.js')
const run = (cwd: string, ...command: string[]) =>
  promisify(execFile)('env', ['-i', `PATH=${PATH}`, `HOME=${HOME}`, ...command], { cwd, maxBuffer: 2 ** 26 })

/** Runs scripts/release.ts outside the test runner's instruments. Rejects with its output if it fails. */
const release = (cwd: string, ...args: string[]) => run(cwd, process.execPath, script, ...args)

const changelog = `# Changelog

## Unreleased

## 1.2.30

- Not asked for.

## 1.2.3 - 2026-12-01

### Added

- A thing.

## 1.2.2

- Older.
`
const files = (version: string, lockfile = version, text = changelog, client = version) => ({
  'package.json': JSON.stringify({ version }),
  client: { 'package.json': JSON.stringify({ version: client, repository: { url: 'git+https://github.com/shop/signer.git' } }) },
  'package-lock.json': JSON.stringify({ version, packages: { '': { version: lockfile }, client: { version } } }),
  'CHANGELOG.md': text
})

t.jobs = 2 // the tests mostly wait

t.test('tag, package.json, package-lock.json and changelog have one version', { buffered: true }, async t => {
  await t.resolves(release(root, 'check', `v${json('package.json').version}`), 'ours have')
  await t.resolves(release(t.testdir(files('1.2.3')), 'check', 'v1.2.3'))
  for (const [tag, folder, message] of [
    ['v1.2.3-rc.1', files('1.2.3'), 'the tag is "v1.2.3-rc.1"; it must be v and a version, such as v1.2.3\n'],
    ['v1.2.4', files('1.2.3'), 'package.json has version 1.2.3, the tag is v1.2.4: run npm version --no-git-tag-version --workspaces --include-workspace-root 1.2.4\n'],
    ['v1.2.3', files('1.2.3', '1.2.3', changelog, '1.2.2'),
      'client/package.json has version 1.2.2, the tag is v1.2.3: run npm version --no-git-tag-version --workspaces --include-workspace-root 1.2.3\n'],
    ['v1.2.3', files('1.2.3', '1.2.2'), 'package-lock.json has version 1.2.2, the tag is v1.2.3: run npm version --no-git-tag-version --workspaces --include-workspace-root 1.2.3\n'],
    ['v1.2.3', files('1.2.3', '1.2.3', '## Unreleased\n\n- A thing.\n'), 'CHANGELOG.md has nothing under "## 1.2.3"; rename "## Unreleased"\n'],
    ['v1.2.3', files('1.2.3', '1.2.3', '## 1.2.3\n\n## 1.2.2\n- Older.\n'), 'CHANGELOG.md has nothing under "## 1.2.3"; rename "## Unreleased"\n']
  ] as const) {
    await t.rejects(release(t.testdir(folder), 'check', tag), { code: 1, stderr: message })
  }
})

interface Step { uses?: string, run?: string, with?: Record<string, unknown> }
interface Job { permissions?: Record<string, string>, needs?: string | string[], uses?: string, steps?: Step[] }
interface Workflow { permissions: object, concurrency?: object, jobs: Record<string, Job> }

const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map(name => {
  const text = readFileSync(join(folder, name), 'utf8')
  return { name, text, workflow: parse(text) as Workflow }
})

for (const { name, text, workflow } of workflows) {
  t.test(`${name}: pinned, with minimal rights, and its scripts exist`, async t => {
    const { scripts } = json('package.json')
    t.strictSame(workflow.permissions, {}, 'none but what a job says')
    for (const [, use] of text.matchAll(/ uses: (.*)/g)) {
      if (use!.startsWith('./')) t.ok(existsSync(join(root, use!)), use!)
      else t.match(use, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
    for (const [id, { permissions, needs = [], steps = [] }] of Object.entries(workflow.jobs)) {
      t.equal(permissions?.contents, id === 'page' ? 'write' : 'read', id)
      t.strictSame([needs].flat().filter(other => workflow.jobs[other] === undefined), [], id)
      for (const { uses, run = '', with: inputs } of steps) {
        if (uses?.startsWith('actions/checkout@')) t.equal(inputs?.['persist-credentials'], false, id)
        // These two run an image, by default one whose tag moves.
        const image = /^docker\/setup-(?:qemu|buildx)-/.test(uses ?? '') && String(inputs?.['driver-opts'] ?? inputs?.image)
        if (image !== false) t.match(image, /^(?:image=)?docker\.io\/[\w/-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
        t.notMatch(run, /\$\{\{/, 'no text of an event becomes a command')
        for (const [, script] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) t.ok(scripts[script!], script!)
        for (const [path] of run.matchAll(/scripts\/[\w/-]+\.\w+/g)) t.ok(existsSync(join(root, path)), path)
      }
    }
  })
}
