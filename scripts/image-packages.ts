import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Prints the packages of an image as JSON for scripts/release.ts. The Node.js of the image runs this file from standard
// input.

const debianPackages = '/var/lib/dpkg/status.d' // distroless images have a file for each package
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
