import { quote } from '../../src/text/characters.js'
import type { Alternative } from './alternatives.js'
import { absentOrderId } from './context.js'
import type { Change } from './diagnosis.js'
import { said } from './transform.js'

const characters = (text: string): string => `${[...text].length} character${text.length === 1 ? '' : 's'}`

/** A neighbour to which a difference may belong instead: the digest does not prove where a term ends. */
export interface Rival {
  readonly subject: string
  /** True if the neighbour follows. */
  readonly isAfter: boolean
  /** True for the token. */
  readonly isSecret: boolean
}

/** Returns the finding about a text that was added or missing between two terms. */
function boundaryOf (subject: string, signed: Alternative, sent: Alternative, rival: Rival): string {
  const names = rival.isAfter ? `${subject} and ${rival.subject}` : `${rival.subject} and ${subject}`
  const isAdded = signed.text.length > sent.text.length
  const [longer, shorter] = isAdded ? [signed.text, sent.text] : [sent.text, signed.text]
  const text = rival.isAfter ? longer.slice(shorter.length) : longer.slice(0, longer.length - shorter.length)
  const isHidden = (rival.isSecret || sent.isSecret || signed.isSecret) && /[\p{L}\p{N}]/u.test(text)
  const what = isHidden ? characters(text) : quote(text)
  return `Between ${names.replaceAll('The ', 'the ')}, ${what} ${isAdded ? 'was added' : 'was missing'} when it was signed.`
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

/** Returns a change for each step from the sent text to the signed one. */
export function changesOf (signed: Alternative, subject: string, rival?: Rival): Change[] {
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const sent = steps[0]!.from!
  const isHidden = sent.isSecret || signed.isSecret
  const read = `${subject.replace(/^The/, 'the')} was ${isHidden ? 'different' : quote(signed.text)}`
  const texts = isHidden || rival !== undefined ? undefined : { signed: signed.text, sent: sent.text }
  return steps.map(({ text, from, reason, alsoKnownAs }) => ({
    hypothesis: reason!.name,
    alsoKnownAs,
    finding: rival === undefined ? factOf(subject, signed, sent) : boundaryOf(subject, signed, sent, rival),
    interpretation: `Perhaps ${rival === undefined ? '' : `${read}: `}${said(reason!.says, text, from!.text, reason!.kind)}.`,
    fix: said(reason!.fix, text, from!.text, reason!.kind),
    texts
  }))
}

/** Returns the lists without duplicates: lists with the same findings and interpretations. */
export function distinct (lists: ReadonlyArray<readonly Change[]>): ReadonlyArray<readonly Change[]> {
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index)
}
