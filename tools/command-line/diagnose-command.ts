import { diagnoseAll, wrongOf, type SharedDiagnosis } from '../diagnosis/diagnose-all.js'
import { diagnose } from '../diagnosis/diagnose.js'
import type { Change, Diagnosis, PartFinding } from '../diagnosis/diagnosis.js'
import { json as jsonOf, quote, visible } from '../explain/characters.js'
import type { Signed } from '../request-text/signed-requests.js'
import { commandOf, fail, json, marksOf, painter, text, type Io } from './command.js'
import {
  candidateTokens, fieldsHelp, inputOptions, inputUsage, readRequest, readText, schemeFor, signedRequestsFrom, warn
} from './input.js'

/** Limit of the groups in a report on many requests. */
const maxGroups = 5

/** Returns the lines of changes. The first line is a fact. A fact or advice of two changes in a row is printed once. */
function linesOf (changes: readonly Change[], title: string, io: Io): string {
  const paint = painter(io)
  return changes.flatMap(({ finding, interpretation, fix }, index) => {
    const [before, next] = [changes[index - 1], changes[index + 1]]
    const mark = index === 0 ? title : ' + '
    const fact = [mark + paint('bold', visible(finding))]
    const reason = interpretation === '' ? [] : [`   ${visible(interpretation)}`]
    const isAdviceOfNext = interpretation === next?.interpretation && fix === next.fix
    const advice = isAdviceOfNext ? [] : [...reason, `   ${paint('dim', visible(`→ ${fix}`))}`]
    return [...finding === before?.finding ? [] : fact, ...advice]
  }).map(line => `${line}\n`).join('')
}

const told = (hints: readonly string[]): string =>
  hints.length === 0 ? '' : `\n${hints.map(hint => `${visible(hint)}\n`).join('')}`

/** Returns the report on one request. */
export function report (diagnosis: Diagnosis, io: Io): string {
  const { valid, part1, part2, causes, hints, tries } = diagnosis
  const marks = marksOf(io)
  const part = (name: string, finding: PartFinding): string => ({
    matches: `${marks.ok} ${name} matches\n`,
    explained: `${marks.warning} ${name} differs, and this explains it\n`,
    unexplained: `${marks.failed} ${name} differs${causes.length === 0 ? '' : ', and nothing explains it'}\n`,
    unsearched: `${marks.skipped} ${name} was not searched: there is no token\n`
  })[finding]
  return causes.map(({ changes }, index) => `${linesOf(changes, `${index + 1}. `, io)}\n`).join('') +
    part('part 1', part1) + part('part 2', part2) +
    (valid ? `The signature matches the request${causes.length > 0 ? ', and not the other request' : ''}.\n` : '') +
    told(hints) +
    (valid || tries === 0 ? '' : `\n${tries} texts hashed\n`)
}

/** Returns the report on many requests. */
export function reportOnAll (shared: SharedDiagnosis, hasToken: boolean, io: Io): string {
  const { total, failing, changes, pattern, groups, hints, unsearched, tries } = shared
  const { ok, failed, skipped } = marksOf(io)
  const title = failing === 0 ? `${ok} ${total} of ${total} match${hasToken ? '' : ' in part 1'}\n` : `${failed} ${failing} of ${total} fail`
  const each = failing === 0 ? '' : pattern === undefined ? '\n' : `: each whose ${visible(pattern)}, and no other\n`
  const group = ({ changes, failures }: SharedDiagnosis['groups'][number], index: number): string => {
    const [{ request, diagnosis }] = failures as [typeof failures[0]]
    const of = `${failures.length} of ${failing}, such as sid ${quote(String(request.sid))}`
    return changes.length === 0
      ? `\n${failed} nothing explains ${of}${told(diagnosis.hints)}`
      : `\n${painter(io)('bold', `${index + 1}. explains ${of}`)}\n${linesOf(changes, '   ', io)}`
  }
  const unsearchedPart = hasToken ? '' : `${skipped} part 2 was not searched: there is no token\n`
  return linesOf(changes, '', io) + title + each + unsearchedPart +
    told(hints) + groups.slice(0, maxGroups).map(group).join('') + (groups.length === 0
    ? ''
    : `\n${tries} texts hashed${unsearched === 0 ? '' : `; ${unsearched} more failing requests were not searched`}\n`)
}

const noToken = 'part 1 is right; no token to check part 2: set MERCHANT_TOKEN, or pass --token-file'

export const command = commandOf({
  usage: `[--signature SIGNATURE] ${inputUsage}`,
  help: `Checks a signature against a request, and finds the mistake behind a wrong one: in the request, the token or the
computation. Without a token, only part 1 is searched, which does not contain it.
${fieldsHelp}
Without --signature, the file contains one or many requests with their signatures: lines of JSON, a JSON array, or a HAR
of a browser. The command then groups the wrong ones by their mistake, and compares the two calls of a payment: the
request for the signature and the payment itself.`,
  options: {
    signature: text('SIGNATURE', 'the expected or refused signature: part1///part2'),
    'other-request': text('FILE', 'the request as the other side received it; also compared if the signature matches'),
    'tokens-file': text('FILE', 'other tokens that may have been used: lines of NAME=TOKEN'),
    ...inputOptions,
    ...json('an object with valid, part1, part2, causes, hints, tries and complete')
  },
  hasFields: true,
  end: `Exit code: 0 it is right, 1 it is wrong, with its cause or without, 2 no result: part 1 is right but there is no token
for part 2, wrong usage, or an unreadable file

Example
  payment-signature diagnose --request request.json --token-file ./token --signature 8e55f6…///21a07e…`,

  async run (given, io) {
    const { values } = given
    const { 'other-request': otherPath, 'tokens-file': tokensPath } = values
    if (otherPath === '-' || tokensPath === '-') {
      fail('standard input is for the request: --other-request and --tokens-file need a file')
    }
    const signed = await signedRequestsFrom(given, io)
    const [first] = signed as [Signed]
    const { request, signatures: [signature = ''] } = first
    const options = {
      ...await schemeFor(values, io, false, request),
      otherRequest: otherPath === undefined ? first.otherRequest : { ...await readRequest(otherPath, io, true) },
      otherTokens: tokensPath === undefined ? undefined : candidateTokens(await readText(tokensPath, io), tokensPath)
    }
    const hasToken = (options.merchantToken ?? request.merchantToken) !== undefined
    if (hasToken && options.merchantToken === undefined) {
      warn(['the token is that of the request: a right signature proves only that its sender knew this token'], io)
    }
    if (signed.length > 1) {
      const shared = diagnoseAll(signed, options)
      io.stdout.write(values.json ? jsonOf(shared) : reportOnAll(shared, hasToken, io))
      return hasToken || shared.failing > 0 ? shared.failing === 0 : fail(noToken)
    }
    const diagnosis = diagnose(wrongOf(first, options) ?? signature, request, options)
    io.stdout.write(values.json ? jsonOf(diagnosis) : report(diagnosis, io))
    const isUnknown = !hasToken && diagnosis.part1 === 'matches' && diagnosis.causes.length === 0
    return isUnknown ? fail(noToken) : diagnosis.valid && diagnosis.causes.length === 0
  }
})
