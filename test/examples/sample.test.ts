import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { languages, sampleOf } from '../../examples/samples/sample.js'
import { body, signature } from '../support/example.js'
import { lacking } from '../support/installed.js'
import { root } from '../support/server.js'

const request = JSON.parse(body)

/** With everything that could end a literal, or be expanded in one. */
const hostile = {
  ...request,
  orderId: '\'\'\' """ ` \\ \\n $x ${x} %s \nJSON;\nJSON é 💳 \u200b' // eslint-disable-line no-template-curly-in-string
}
// By Python's hashlib, of 1709912345678, this orderId, development-only-token, 102551, 100.00; part 1 has no orderId.
const hostilePart2 = 'd7e7ea01d88dd2af14b046b7f4afc326bb7d9f7d7ff5326b1df8d35b9bf1473e'

for (const [extension, { name, run }] of Object.entries(languages)) {
  const language = extension as keyof typeof languages
  const source = readFileSync(join(root, `examples/samples/sign.${language}`), 'utf8')

  t.test(`a program in ${name} has the request in the place of the protocol`, async t => {
    const program = sampleOf(language, source, 'B', hostile)
    t.ok(program.includes('"clientTimeStamp": 1709912345678\n}'))
    t.ok(program.includes('\\u0027\\u0027\\u0027 \\"\\"\\" \\u0060 \\\\ '))
    t.match(program, /^[\n\t -~]+$/)
    t.notMatch(program, /conformance|stdin|--batch/i)
  })

  const [program = '', ...args] = run.split(' ')
  t.test(`it prints the signature in ${name}`, { skip: lacking(program) }, async t => {
    const printed = (fields: typeof request): string => {
      const folder = t.testdir({ [`sign.${language}`]: sampleOf(language, source, 'A', fields) })
      const env = { ...process.env, MERCHANT_TOKEN: 'development-only-token' }
      const { stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' })
      t.equal(stderr, '')
      return stdout
    }
    t.equal(printed(request), `${signature}\n`)
    t.equal(printed(hostile), `${signature.slice(0, 64)}///${hostilePart2}\n`)
  })
}
