import { quote } from '../../src/text/characters.js'
import { isChanged, sentOf, unchanged, type Alternative } from './alternatives.js'
import { absentOrderId } from './context.js'
import type { Change } from './diagnosis.js'
import { said } from './transform.js'

const characters = (text: string): string => `${[...text].length} character${text.length === 1 ? '' : 's'}`

/** A term with the text that was signed. */
export interface Term {
  readonly subject: string
  readonly signed: Alternative
}

const withLowerCase = (subject: string): string => subject.replace(/^The/, 'the')

/** Returns the text that was added or missing at one end of a term. Returns undefined for another difference. */
function textAtEnd ({ signed }: Term, isAfter: boolean): string | undefined {
  const texts = [signed.text, sentOf(signed).text] as const
  const [short, long] = texts[0].length < texts[1].length ? texts : [texts[1], texts[0]]
  const at = isAfter ? 0 : long.length - short.length
  if (!long.startsWith(short, at)) return undefined
  return isAfter ? long.slice(short.length) : long.slice(0, at)
}

/** Returns the finding about neighbouring terms, if the digest does not prove where one ends and the next begins. */
export function jointFinding (terms: readonly Term[]): string {
  const names = terms.map(({ subject }) => withLowerCase(subject)).join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const signed = terms.map(({ signed }) => signed.text).join('')
  const sent = terms.map(({ signed }) => sentOf(signed).text).join('')
  const isHidden = terms.some(({ signed }) => signed.isSecret || sentOf(signed).isSecret)
  const changed = terms.filter(({ signed }) => isChanged(signed))
  const text = terms.length === 2 && changed.length === 1 ? textAtEnd(changed[0]!, changed[0] === terms[0]) : undefined
  if (text !== undefined) {
    const isCounted = isHidden && /[\p{L}\p{N}]/u.test(text)
    const be = isCounted && [...text].length > 1 ? 'were' : 'was'
    return `Between ${names}, ${isCounted ? characters(text) : quote(text)} ${be} ${signed.length > sent.length ? 'added' : 'missing'} when it was signed.`
  }
  return factOf(`The joined text of ${names}`, unchanged(signed, isHidden), unchanged(sent, isHidden))
}

/** Returns the finding about a text that was signed instead of the sent text. The finding contains no token. */
function factOf (subject: string, signed: Alternative, sent: Alternative): string {
  if (sent.isSecret) {
    const [then, now] = [signed, sent].map(({ text }) => characters(text))
    return then === now
      ? `${subject} was another text when it was signed; both have ${now}.`
      : `${subject} had ${then} when it was signed; yours has ${now}.`
  }
  const text = signed.isSecret ? 'another text' : quote(signed.text)
  if (subject === absentOrderId) return `The order id was ${text} when it was signed; for your request it is "null".`
  return `${subject} was ${text} when it was signed; ` +
    (sent.text === '' ? 'for your request it is empty.' : `your request has ${quote(sent.text)}.`)
}

/**
 * Returns a change for each step from the sent text to the signed one.
 *
 * @param joint - the finding about the term and its neighbours, if the digest does not prove where the term ends
 */
export function changesOf ({ subject, signed }: Term, joint?: string): Change[] {
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const sent = sentOf(signed)
  const isHidden = sent.isSecret || signed.isSecret
  const isJoint = joint !== undefined
  const read = `${withLowerCase(subject)} was ${isHidden ? 'different' : quote(signed.text)}`
  const texts = isHidden || isJoint ? undefined : { signed: signed.text, sent: sent.text }
  return steps.map(({ text, from, reason, alsoKnownAs }) => ({
    hypothesis: reason!.name,
    alsoKnownAs,
    finding: joint ?? factOf(subject, signed, sent),
    isJoint,
    interpretation: `Perhaps ${isJoint ? `${read}: ` : ''}${said(reason!.says, text, from!.text, reason!.kind)}.`,
    fix: said(reason!.fix, text, from!.text, reason!.kind),
    texts
  }))
}

/** Returns the lists without duplicates: lists with the same findings and interpretations. */
export function distinct (lists: ReadonlyArray<readonly Change[]>): ReadonlyArray<readonly Change[]> {
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index)
}
