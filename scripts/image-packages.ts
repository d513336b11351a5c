import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs in an image, by the image's own Node.js and from standard input, and prints what the image consists of. For
// scripts/release.ts.

const debianPackages = '/var/lib/dpkg/status.d' // where distroless images have what others have in one file
const dependencies = '/app/node_modules'

const field = (text: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(text)![1]!

const debian = readdirSync(debianPackages).filter(name => !name.endsWith('.md5sums'))
  .map(name => readFileSync(join(debianPackages, name), 'utf8'))
  .map(text => ({ name: field(text, 'Package'), version: field(text, 'Version'), architecture: field(text, 'Architecture') }))

const npm = (readdirSync(dependencies, { recursive: true }) as string[])
  .filter(path => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(`node_modules/${path}`))
  .map(path => JSON.parse(readFileSync(join(dependencies, path), 'utf8')) as { name: string, version: string })
  .map(({ name, version }) => `${name}@${version}`)

process.stdout.write(JSON.stringify({ node: process.versions.node, npm, debian }))
