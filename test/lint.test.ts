import { ESLint } from 'eslint'
import t from 'tap'
import { root } from './support/server.js'

const eslint = new ESLint({ cwd: root })

/** How often the rule is broken by a file with this code. */
async function breaches (filePath: string, code: string): Promise<number> {
  const [result] = await eslint.lintText(code, { filePath })
  return result!.messages.filter(({ ruleId }) => ruleId === 'local/constant-time').length
}

t.test('secrets are compared in constant time', async t => {
  for (const [filePath, code, count] of [
    ['src/guard/policy.ts', 'if (timingSafeEqual(given, digest)) found = caller', 0],
    ['src/guard/policy.ts', 'if (given.equals(digest)) found = caller', 1],
    ['src/guard/policy.ts', 'if (Buffer.compare(given, digest) === 0) found = caller', 1],
    ['src/guard/policy.ts', 'if (String(given) === digest.toString()) found = caller', 1],
    ['src/guard/policy.ts', 'if (apiKeySha256 !== hash256(key)) continue', 1],
    ['src/guard/policy.ts', 'return known.get(hash256(key))', 1],
    ['src/guard/policy.ts', 'return byKey[apiKey as string]', 1],
    ['src/guard/policy.ts', 'return this.#digests.includes(text)', 1],
    ['src/guard/policy.ts', 'if (apiKeySha256 === undefined || apiKeySha256 === digestOfNothing) return', 0],
    ['src/scheme/verify.ts', 'return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes)', 0],
    ['src/scheme/verify.ts', 'return text === expected', 1],
    ['src/scheme/verify.ts', 'return signature! == first', 1],
    ['src/scheme/verify.ts', 'if (typeof signature !== "string" || token === "") throw error', 0],
    ['plugins/signing/policy.ts', 'if (caller.apiKeySha256 === text) found = caller', 1],
    ['routes/generate-signature.ts', 'return signature.startsWith(text)', 1],
    ['tools/diagnosis/search.ts', 'return digests.includes(digest)', 0]
  ] as const) {
    t.equal(await breaches(filePath, code), count, `${filePath}: ${code}`)
  }
})
