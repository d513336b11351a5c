import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { builtImage, environment, podmanOptions, withoutContainers } from '../../support/containers.js'
import { root } from '../../support/server.js'

const { PATH, HOME } = process.env

t.test('the SBOM contains all packages of an image', { skip: withoutContainers }, async t => {
  const { status, stdout, stderr } = spawnSync('podman', [
    ...podmanOptions(), 'run', '--rm', '--interactive', '--network', 'none', '--entrypoint', '/usr/local/bin/node',
    builtImage(), '--input-type=module-typescript'
  ], { input: readFileSync(join(root, 'scripts/image-packages.ts')), encoding: 'utf8', env: environment() })
  t.equal(status, 0, stderr)
  const { debian, npm } = JSON.parse(stdout)
  t.ok(debian.length >= 5 && npm.length > 30, `${debian.length} of Debian, ${npm.length} of npm`)

  const folder = t.testdir({ 'image.json': stdout })
  const { stdout: sbom } = await promisify(execFile)('env', ['-i', `PATH=${PATH}`, `HOME=${HOME}`,
    process.execPath, join(root, 'dist/scripts/release.js'), 'sbom', join(folder, 'image.json')
  ], { cwd: root, maxBuffer: 2 ** 26 })
  const purls: string[] = JSON.parse(sbom).components.map(({ purl }: { purl: string }) => purl)
  t.match(purls.find(purl => purl.startsWith('pkg:generic/')), /^pkg:generic\/node@24\.\d+\.\d+$/)
  t.match(purls.find(purl => purl.includes('/libc6@')), /^pkg:deb\/debian\/libc6@2\.36-\S+\?arch=\w+$/)
  t.equal(purls.filter(purl => purl.startsWith('pkg:npm/')).length, new Set(npm).size)
})
