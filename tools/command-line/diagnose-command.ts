import { diagnose } from '../diagnosis/diagnose.js'
import type { Cause, Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { difference } from '../diagnosis/difference.js'
import { languages, snippetFor } from '../diagnosis/snippets.js'
import type { Language } from '../diagnosis/snippets.js'
import { count, variantHelp, variantOf } from '../../src/command-line/arguments.js'
import { commandOf, type Io } from '../../src/command-line/command.js'
import { CommandError } from '../../src/command-line/command.js'
import { json, marksOf, painter, quoted, visible } from '../../src/command-line/output.js'
import { readText } from '../../src/command-line/read-text.js'
import { readRequest, requestFrom, requestHelp, requestOptions, requiredSignature } from './request-input.js'
import { candidateTokens, optionalTokenHelp, tokenFrom, tokenOptions } from './token-input.js'

/** Longer texts are not shown one above the other. In UTF-16 code units. */
const maxShown = 90

/** Returns two texts, one above the other, with their lengths and a mark below what differs. */
function compared ({ signed, sent }: NonNullable<Change['texts']>, paint: ReturnType<typeof painter>): string[] {
  const [one, other] = [quoted(signed), quoted(sent)]
  if (Math.max(one.length, other.length) > maxShown) return []
  const width = Math.max(one.length, other.length)
  const { start, ends } = difference(one, other)
  const row = (title: string, shown: string, text: string): string =>
    `  ${title.padEnd(6)}  ${shown.padEnd(width)}  ${[...text].length} character${text.length === 1 ? '' : 's'}`
  const marks = '^'.repeat(Math.max(1, ...ends.map(end => end - start)))
  return [row('signed', one, signed), row('sent', other, sent), paint('red', `          ${' '.repeat(start)}${marks}`)]
}

function report (
  { valid, part1, part2, causes, hints, tries, complete }: Diagnosis, language: Language | undefined, isDeep: boolean,
  io: Io
): string {
  const paint = painter(io)
  const marks = marksOf(io)
  const part = (name: string, finding: PartFinding): string => ({
    matches: `${marks.ok} ${name} matches\n`,
    explained: `${marks.warning} ${name} differs, and the first cause explains it\n`,
    unexplained: `${marks.failed} ${name} differs\n`,
    unsearched: `${marks.skipped} ${name} was not searched: there is no token\n`
  })[finding]

  function cause ({ changes, equallyLikely }: Cause, index: number): string {
    const lines = changes.flatMap(({ finding, interpretation, alsoKnownAs, fix, hypothesis, texts }, index) => {
      const snippet = language === undefined ? undefined : snippetFor(hypothesis, language)
      return [
        ...finding === changes[index - 1]?.finding
          ? []
          : [visible(finding), ...texts === undefined ? [] : compared(texts, paint)],
        ...interpretation === '' ? [] : [visible(interpretation)],
        ...alsoKnownAs.length === 0 ? [] : [paint('dim', `also known as ${alsoKnownAs.join(', ')}`)],
        paint('dim', `→ ${visible(fix)}`), ...snippet === undefined ? [] : [`    ${snippet}`]
      ]
    })
    const titles = [
      ...causes.length === 1 ? [] : [index === 0 ? 'either' : 'or'],
      ...changes.length === 1 ? [] : [`${changes.length} mistakes combined`],
      changes.every(({ interpretation }) => interpretation === '') ? '' : equallyLikely === 1 ? 'the only explanation found' : `one of ${equallyLikely} explanations`
    ].filter(title => title !== '')
    return `\n${paint('bold', [`${index + 1}.`, titles.join(', ')].join(' ').trimEnd())}\n   ${lines.join('\n   ')}\n`
  }

  return part('part 1', part1) + part('part 2', part2) +
    (valid ? 'The signature matches the request.\n' : '') +
    causes.map(cause).join('') +
    (hints.length > 0 ? `\n${hints.map(hint => `${visible(hint)}\n`).join('')}` : '') +
    (valid ? '' : `\n${tries} texts hashed${complete ? '' : ', the limit; --max-tries raises it'}${isDeep || (part1 !== 'unexplained' && part2 !== 'unexplained') ? '' : '; --deep tries many more'}\n`)
}

const options = {
  ...requestOptions,
  ...tokenOptions,
  signature: { type: 'string' },
  'other-request': { type: 'string' },
  tokens: { type: 'string' },
  lang: { type: 'string', choices: languages },
  deep: { type: 'boolean' },
  'max-changes': { type: 'string' },
  'max-tries': { type: 'string' },
  json: { type: 'boolean' }
} as const

/** Nobody should have to wonder whether it hangs. In milliseconds. */
const patience = 2000

/** Says at a terminal, after two seconds, that the search goes on, on a line that is removed at the end. */
function progressOf ({ stderr }: Io): { show: (tries: number) => void, end: () => void } {
  const begin = performance.now()
  let isShown = false
  return {
    show (tries) {
      if (stderr.isTTY !== true || performance.now() - begin < patience) return
      isShown = true
      stderr.write(`\rsearching: ${tries} texts hashed so far`)
    },
    end () {
      if (isShown) stderr.write('\r\x1b[K')
    }
  }
}

export const command = commandOf({
  help: `Usage: payment-signature diagnose --signature SIGNATURE [options] [-]

Finds the mistake behind a signature: the smallest change to the request, the token or the computation that yields it.

${requestHelp}
${optionalTokenHelp}  otherwise                   only part 1 is searched, which has no token

Options
  --signature SIGNATURE       the signature that was expected or rejected: part1///part2
  --other-request FILE        the request as the other side has it, in any of the forms above
  --tokens FILE               other tokens that may have been used: lines of NAME=TOKEN, or a JSON object
  --lang LANGUAGE             also show the fix as code: php, python, go, js or java
  --deep                      try many other values too: amounts up to 1000000.00, time stamps within an hour, two
                              wrong characters; it takes minutes
  --max-changes N             the most mistakes to combine, 1 to 3; default: 3
  --max-tries N               the most texts to hash; default: 1300000; with --deep 300000000
${variantHelp}  --json                      the library's Diagnosis

Exit code: 0 the signature matches or a cause was found, 1 no cause was found for one of the parts, 2 wrong usage

Example
  payment-signature diagnose --request request.json --tokens ./tokens --signature 8e55f6…///21a07e…
`,

  options,
  maxPositionals: 1,

  async run ({ values, positionals }, io) {
    const variant = variantOf(values, io)
    const signature = requiredSignature(values)
    const maxChanges = count('max-changes', values['max-changes'], 3)
    const maxTries = count('max-tries', values['max-tries'])
    const { 'other-request': otherPath, tokens: tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      throw new CommandError('standard input is for the request: --other-request and --tokens need a file')
    }
    const language = languages.find(language => language === values.lang)
    if (values.lang !== undefined && language === undefined) throw new CommandError(`--lang must be one of ${languages.join(', ')}`)
    const isDeep = values.deep === true
    const request = await requestFrom(values, positionals, io)
    const otherRequest = otherPath === undefined ? undefined : await readRequest(otherPath, io)
    const otherTokens = tokensPath === undefined
      ? undefined
      : candidateTokens(await readText(tokensPath, io), tokensPath)
    const progress = progressOf(io)
    const diagnosis = diagnose(signature, request, {
      variant,
      merchantToken: await tokenFrom(values, io, request),
      deep: isDeep,
      onProgress: progress.show,
      ...(otherRequest === undefined ? {} : { otherRequest }),
      ...(otherTokens === undefined ? {} : { otherTokens }),
      ...(maxChanges === undefined ? {} : { maxChanges }),
      ...(maxTries === undefined ? {} : { maxTries })
    })
    progress.end()
    io.stdout.write(values.json ? json(diagnosis) : report(diagnosis, language, isDeep, io))
    const isFound = diagnosis.causes.length > 0 && diagnosis.part1 !== 'unexplained' && diagnosis.part2 !== 'unexplained'
    return diagnosis.valid || isFound
  }
})
