import { quote } from '../../src/text/characters.js'
import type { Alternative } from './alternatives.js'
import type { Change } from './diagnosis.js'
import { said } from './transform.js'

const characters = (text: string): string => `${[...text].length} character${text.length === 1 ? '' : 's'}`

/** Returns the finding about a text that was signed instead of the sent text. The finding contains no token. */
function factOf (subject: string, signed: Alternative, sent: Alternative): string {
  if (subject.startsWith('The text of')) return `${subject} was ${signed.text === '' ? 'empty' : 'different as a whole'} when it was signed.`
  if (sent.isSecret) return `${subject} had ${characters(signed.text)} when it was signed; yours has ${characters(sent.text)}.`
  const text = signed.isSecret ? 'another text' : quote(signed.text)
  return `${subject} was ${text} when it was signed; your request has ${quote(sent.text)}.`
}

/** Returns a change for each step from the sent text to the signed one. */
export function changesOf (signed: Alternative, subject: string): Change[] {
  const steps: Alternative[] = []
  for (let step = signed; step.from !== undefined; step = step.from) steps.unshift(step)
  const sent = steps[0]!.from!
  const texts = sent.isSecret || signed.isSecret ? undefined : { signed: signed.text, sent: sent.text }
  return steps.map(({ text, from, reason, alsoKnownAs }) => ({
    hypothesis: reason!.name,
    alsoKnownAs,
    finding: factOf(subject, signed, sent),
    interpretation: `Perhaps ${said(reason!.says, text, from!.text, reason!.kind)}.`,
    fix: said(reason!.fix, text, from!.text, reason!.kind),
    texts
  }))
}

/** Returns the lists without duplicates: lists with the same findings and interpretations. */
export function distinct (lists: ReadonlyArray<readonly Change[]>): ReadonlyArray<readonly Change[]> {
  const texts = lists.map(changes => changes.map(({ finding, interpretation }) => finding + interpretation).join(' '))
  return lists.filter((_changes, index) => texts.indexOf(texts[index]!) === index)
}
