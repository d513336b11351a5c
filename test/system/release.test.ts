import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../support/server.js'

const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Runs scripts/release.ts outside a workflow. Rejects with its output if it fails. */
const release = (cwd: string, ...args: string[]) =>
  promisify(execFile)('env', ['-i', process.execPath, join(root, 'dist/scripts/release.js'), ...args], { cwd })

const changelog = '# Changelog\n\n## 1.2.30\n\n- Not asked for.\n\n## 1.2.3 - 2026-12-01\n\n- A thing.\n\n## 1.2.2\n\n- Older.\n'
const files = (version: string, lockfile = version, text = changelog, client = version) => ({
  'package.json': JSON.stringify({ version }),
  client: { 'package.json': JSON.stringify({ version: client }) },
  'package-lock.json': JSON.stringify({ version, packages: { '': { version: lockfile }, client: { version } } }),
  'CHANGELOG.md': text
})

t.test('tag, package.json, package-lock.json and changelog have one version', async t => {
  await t.resolves(release(root, 'check', `v${json('package.json').version}`), 'ours have')
  await t.resolves(release(t.testdir(files('1.2.3')), 'check', 'v1.2.3'))
  t.match(await release(t.testdir(files('1.2.3')), 'notes', 'v1.2.3'), { stdout: '- A thing.\n' })
  for (const [tag, folder, message] of [
    ['v1.2.3-rc.1', files('1.2.3'), 'the tag is "v1.2.3-rc.1"; it must be v and a version, such as v1.2.3\n'],
    ['v1.2.4', files('1.2.3'), /^package\.json has version 1\.2\.3, the tag is v1\.2\.4: run npm version /],
    ['v1.2.3', files('1.2.3', '1.2.3', changelog, '1.2.2'), /^client\/package\.json has version 1\.2\.2, the tag is v1\.2\.3: /],
    ['v1.2.3', files('1.2.3', '1.2.2'), /^package-lock\.json has version 1\.2\.2, the tag is v1\.2\.3: /],
    ['v1.2.3', files('1.2.3', '1.2.3', '## Unreleased\n\n- A thing.\n'), 'CHANGELOG.md has nothing under "## 1.2.3"; rename "## Unreleased"\n']
  ] as const) {
    await t.rejects(release(t.testdir(folder), 'check', tag), { code: 1, stderr: message })
  }
})

interface Step { uses?: string, run?: string, with?: Record<string, unknown> }
interface Job { permissions: Record<string, string>, steps?: Step[] }
interface Workflow { permissions: object, jobs: Record<string, Job> }

for (const name of readdirSync(join(root, '.github/workflows'))) {
  t.test(`${name}: pinned, with minimal rights, and its scripts exist`, async t => {
    const text = readFileSync(join(root, '.github/workflows', name), 'utf8')
    const { permissions, jobs } = parse(text) as Workflow
    const { scripts } = json('package.json')
    t.strictSame(permissions, {}, 'none but what a job says')
    for (const [, use] of text.matchAll(/ uses: (.*)/g)) {
      if (use!.startsWith('./')) t.ok(existsSync(join(root, use!)), use!)
      else t.match(use, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
    for (const [id, { permissions, steps = [] }] of Object.entries(jobs)) {
      t.equal(permissions.contents, id === 'page' ? 'write' : 'read', id)
      for (const { uses = '', run = '', with: inputs } of steps) {
        if (uses.startsWith('actions/checkout@')) t.equal(inputs?.['persist-credentials'], false, id)
        // These two run an image, by default one whose tag moves.
        if (/^docker\/setup-(?:qemu|buildx)-/.test(uses)) t.match(JSON.stringify(inputs), /docker\.io\/[\w/.:-]+@sha256:[0-9a-f]{64}"/)
        t.notMatch(run, /\$\{\{/, 'no text of an event becomes a command')
        for (const [, script] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) t.ok(scripts[script!], script!)
        for (const [path] of run.matchAll(/scripts\/[\w/-]+\.\w+/g)) t.ok(existsSync(join(root, path)), path)
      }
    }
  })
}
