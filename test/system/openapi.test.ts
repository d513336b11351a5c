import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import type { Environment } from '../../src/settings/settings.js'
import { testApp } from '../support/app.js'
import { root } from '../support/server.js'

const url = '/api/generate-signature'

interface Schema {
  type?: string
  properties: Record<string, Schema>
  required: string[]
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  enum?: string[]
}
interface Response { headers: Record<string, { schema: object }>, content: { 'application/json': { schema: { $ref: string } } } }
interface Document {
  components: { schemas: { SignatureRequest: Schema } }
  paths: Record<string, { post: { responses: Record<string, Response> } }>
}

for (const [name, args, packages] of [
  ['Redocly', ['redocly', 'lint', '--extends=recommended', 'openapi.json'], ['@redocly/cli@2']],
  ['Spectral', ['spectral', 'lint', '--fail-severity=warn', '--ruleset', 'rules.yaml', 'openapi.json'], ['@stoplight/spectral-cli@6']]
] as const) {
  t.test(`${name} reports no problem`, async t => {
    const document = readFileSync(join(root, 'openapi.json'), 'utf8')
    const cwd = t.testdir({ 'openapi.json': document, 'rules.yaml': 'extends: ["spectral:oas"]\n' })
    const npx = ['--yes', ...packages.flatMap(one => ['--package', one]), '--']
    const options = { cwd, encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } } as const
    if (spawnSync('npx', [...npx, args[0], '--version'], options).status !== 0) return t.pass('a lint', { skip: 'npx cannot get it' })
    const { status, stdout, stderr } = spawnSync('npx', [...npx, ...args], options)
    t.equal(status, 0, stdout + stderr)
    t.notMatch(stdout + stderr, /\bwarning\b.*\b[1-9]\d* warning|\[\d+\] /)
  })
}

/** Texts of a field that the schema allows, with examples that decoders and doubles treat specially. */
function textOf ({ pattern, minLength = 0, enum: values }: Schema): fc.Arbitrary<string> {
  if (values !== undefined) return fc.constantFrom(...values)
  if (pattern !== undefined) {
    const digits = fc.stringMatching(/^[0-9]{1,31}$/)
    const matching = fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?!(?:[^()]|\([^()]*\))*\)/g, ''))) // fast-check knows no look-ahead
    return fc.oneof(matching, digits, fc.tuple(digits, digits).map(parts => parts.join('.'))).filter(text => new RegExp(pattern).test(text))
  }
  const special = fc.constantFrom('', ' ', 'null', 'undefined', '0', 'refund', 'VOID', 'inquiry', 'ORDER_ID', '\ud800', '\u0000', '\ufeff')
  return fc.oneof(fc.string({ unit: 'binary', minLength }), special)
}

for (const [config, numRuns, statuses] of [
  [{}, 5000, [200, 500]] // the document is that of a service without guards, whatever the configuration
] as ReadonlyArray<readonly [Partial<Environment>, number, number[]]>) {
  t.test(`${numRuns} bodies that the document of ${JSON.stringify(config)} allows get documented responses, and never 400`, async t => {
    const { app } = testApp(t, { config: { ...config, LOG_LEVEL: 'silent' } })
    const document: Document = (await app.inject('/openapi.json')).json()
    const schema = document.components.schemas.SignatureRequest
    const { responses } = document.paths[url]!.post
    const ajv = new Ajv2020({ strict: false })
    ajvFormats.default(ajv)
    ajv.addSchema({ $id: 'document', ...document })
    const isAllowed = ajv.compile({ $ref: 'document#/components/schemas/SignatureRequest' })
    const checks = new Map(Object.entries(responses).map(([status, { headers, content }]) =>
      [status, { headers, body: ajv.compile({ $ref: `document${content['application/json'].schema.$ref}` }) }]))
    const integer = ({ minimum: min, maximum: max }: Schema) => min === undefined
      ? fc.oneof(fc.maxSafeInteger(), fc.constant(0))
      : fc.integer({ min, max: Math.min(max!, 1_750_000_000_000) }) // the same requests on each day, none of the future
    const bodies = fc.record(Object.fromEntries(Object.entries(schema.properties).map(([name, property]) =>
      [name, property.type === 'integer' ? integer(property) : textOf(property)])),
    { requiredKeys: schema.required }).filter(body => isAllowed(body))

    const counts = new Map<number, number>()
    await fc.assert(fc.asyncProperty(bodies, async body => {
      const { statusCode, headers, ...response } = await app.inject({ method: 'POST', url, payload: body })
      const check = checks.get(String(statusCode))
      const isDocumented = check?.body(response.json()) === true && Object.keys(check.headers)
        .filter(name => !/retry-after/i.test(name)).every(name => headers[name.toLowerCase()] !== undefined)
      counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1)
      return isDocumented && statusCode !== 400
    }), { numRuns, seed: 28 })
    t.strictSame([...counts.keys()].sort(), statuses, 'in variant A, a blank sid is 500')
    t.ok(counts.get(200)! > numRuns / 3)
  })
}
