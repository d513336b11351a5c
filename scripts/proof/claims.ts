import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import ts from 'typescript'
import { root } from '../../test/support/server.js'
import type { Part } from './part.js'

const table = 'test/promises.test.ts'

/** A sentence of SECURITY.md, and the tests that show it: the path and the name, with its template's placeholders. */
interface Claim {
  sentence: string
  tests: Array<[file: string, name: string]>
}

/** Reads the table of test/promises.test.ts. An entry that is a function is a test of that file. */
function readClaims (): Claim[] {
  const source = ts.createSourceFile(table, readFileSync(join(root, table), 'utf8'), ts.ScriptTarget.Latest, true)
  const claims: Claim[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'promises' && node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)) {
      for (const property of node.initializer.properties) {
        if (!ts.isPropertyAssignment(property)) continue
        const sentence = (property.name as ts.StringLiteral).text
        const { initializer } = property
        const tests: Claim['tests'] = ts.isArrayLiteralExpression(initializer)
          ? initializer.elements.map(element => {
            const { elements: [file, name] } = element as ts.ArrayLiteralExpression
            return [(file as ts.StringLiteral).text, (name as ts.StringLiteral).text]
          })
          : [[table, sentence]]
        claims.push({ sentence, tests })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return claims
}

const plain = (markdown: string): string =>
  markdown.replace(/\s+/g, ' ').replaceAll('**', '').replace(/\[(.*?)\]\(.*?\)/g, '$1').trim()

/** Returns the sentences under "What we promise". */
function promisedSentences (): string[] {
  const [, section = ''] = /^## What we promise\n([^]*?)^## /m.exec(readFileSync(join(root, 'SECURITY.md'), 'utf8')) ?? []
  return section.split(/^- /m).slice(1).flatMap(promise => plain(promise).split(/(?<=\.) (?=[A-Z])/))
}

/** Runs a test file. Resolves with its exit code, and the names of tests that passed. */
async function passedTests (file: string): Promise<{ code: number, names: string[] }> {
  const child = spawn(process.execPath, [join(root, 'dist', file.replace(/\.ts$/, '.js'))], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = once(child, 'close')
  const output = await text(child.stdout)
  const [code] = await closed
  const names = [...output.matchAll(/^ *ok \d+ - (.*?)(?: # (?!SKIP|TODO).*)?(?: \{)?$/gm)].map(([, name = '']) => name.replaceAll('\\', ''))
  return { code, names: names.filter(name => !/ # (?:SKIP|TODO)/.test(name)) }
}

/** Matches the names of a test whose name is a template. */
const patternOf = (name: string): RegExp => new RegExp(`^${name.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/)
  .map(part => part.replaceAll('\\', '').replace(/[.*+?^${}()|[\]]/g, '\\$&')).join('[^]*')}$`)

export const claims: Part = {
  name: 'claims',
  shows: 'Each sentence under "What we promise" in SECURITY.md has tests, and each of these tests exists, runs and passes.',
  async run ({ short, note, signal }) {
    const claims = readClaims()
    const sentences = promisedSentences()
    const known = new Set(claims.map(({ sentence }) => sentence))
    const faults = sentences.filter(sentence => !known.has(sentence)).map(sentence => `no test: ${sentence}`)
    const files = [...new Set(claims.flatMap(({ tests }) => tests.map(([file]) => file)))]
    let count = 0
    for (const file of short ? files.slice(0, 3) : files) {
      signal.throwIfAborted()
      const { code, names } = await passedTests(file)
      if (code !== 0) faults.push(`${file} ends with ${code}`)
      const named = claims.flatMap(({ sentence, tests }) =>
        tests.filter(([path]) => path === file).map(([, name]) => ({ name, sentence })))
      for (const { name, sentence } of named) {
        count++
        const pattern = patternOf(name)
        if (!names.some(passed => pattern.test(passed))) faults.push(`${file}, "${name}" did not pass: ${sentence}`)
      }
      note(`${file}: ${names.length} tests passed`)
    }
    return {
      passed: faults.length === 0 && sentences.length > 0,
      figures: { sentences: sentences.length, 'without a test': sentences.filter(sentence => !known.has(sentence)).length, 'tests named': count, faults: faults.length },
      ...faults.length > 0 && { details: faults.map(fault => `- ${fault}`).join('\n') }
    }
  }
}
