import { readerOf, type Variant } from '../../src/scheme/variants.js'
import type { Change } from '../../tools/diagnosis/diagnosis.js'
import { difference } from '../../tools/diagnosis/difference.js'
import type { ExplainedTerm, Explanation } from '../../tools/explain/explain.js'
import { oddityOf } from './characters.js'
import { inspect, type Inspection, type OddCharacter } from './inspect.js'
import type { Part1Diagnosis } from './part1-diagnosis.js'

/** Number of characters of a text that are shown. The whole text is hashed. */
const maxLength = 2000

/** Number of odd characters that are shown. Further ones are only counted. */
const maxOddCharacters = 50

function byId<Type extends HTMLElement = HTMLElement> (id: string): Type {
  return document.getElementById(id) as Type
}

function element (tag: string, className: string, ...content: Array<string | Node>): HTMLElement {
  const created = document.createElement(tag)
  created.className = className
  created.append(...content)
  return created
}

const row = (...cells: Array<string | Node>): HTMLElement => element('tr', '', ...cells.map(cell => element('td', '', cell)))

function showStatus (kind: '' | 'good' | 'bad' | 'warn', title: string, details = ''): void {
  const status = byId('status')
  status.className = `status ${kind}`
  status.replaceChildren(element('strong', '', title), details)
}

/** Returns the elements that show a text: odd characters with their code point. */
function shown (text: string): HTMLElement[] {
  return [...text].slice(0, maxLength).map(character => {
    const oddity = oddityOf(character)
    if (oddity === undefined) return element('span', '', character)
    const { codePoint, name, isVisible } = oddity
    const mark = element('mark', '', isVisible ? `${character} ${codePoint}` : codePoint)
    mark.title = name
    return mark
  })
}

function showPart (id: string, terms: readonly ExplainedTerm[]): void {
  byId(`pre-image${id}`).replaceChildren(...terms.map(({ name, text }) => {
    const span = element('span', `term ${name}`, ...shown(text))
    span.title = name
    return span
  }))
  byId(`terms${id}`).replaceChildren(...terms.map(({ name, text, source }) => {
    const heading = element('th', name, name)
    heading.setAttribute('scope', 'row')
    const value = text === '' ? element('em', '', 'empty') : element('code', '', ...shown(text))
    return element('tr', '', heading, element('td', '', value, ...(source === name ? [] : [element('p', 'hint', source)])))
  }))
}

function showExplanation ({ variant, terms, part1 }: Explanation): void {
  const { parts } = readerOf(variant)
  const termsOf = (part: 'part1' | 'part2'): ExplainedTerm[] => parts[part].map(name => terms.find(term => term.name === name) as ExplainedTerm)
  showPart('', termsOf('part1'))
  showPart('-2', termsOf('part2'))
  byId('digest').textContent = String(part1.digest)
}

function showOddCharacters (all: readonly OddCharacter[]): void {
  const rows = all.slice(0, maxOddCharacters).map(({ field, position, codePoint, name }) =>
    row(field, String(position), codePoint, name))
  if (all.length > maxOddCharacters) rows.push(row(`and ${all.length - maxOddCharacters} more`, '', '', ''))
  byId('oddities').replaceChildren(...rows)
  byId('oddities-table').hidden = all.length === 0
  byId('no-oddities').hidden = all.length > 0
}

/** Returns the elements that show a sentence, in which spaces are not odd. */
const sentence = (text: string): HTMLElement[] =>
  text.split(' ').flatMap((word, index) => [...(index === 0 ? [] : [element('span', '', ' ')]), ...shown(word)])

/** Returns a table of two texts with their lengths. The difference is marked. */
function compared ({ signed, sent }: NonNullable<Change['texts']>): HTMLElement {
  const { start, ends } = difference(signed, sent)
  const rows = [['signed', signed, ends[0]], ['sent', sent, ends[1]]] as const
  return element('table', 'compared', ...rows.map(([title, text, end]) => {
    const characters = [...text]
    const part = (from: number, to?: number): HTMLElement[] => shown(characters.slice(from, to).join(''))
    const code = element('code', '', '"', ...part(0, start), element('span', 'differs', ...part(start, end)), ...part(end), '"')
    return element('tr', '', element('th', '', title), element('td', '', code), element('td', 'length', String(characters.length)))
  }))
}

function showCauses (causes: Part1Diagnosis['causes']): void {
  byId('causes').replaceChildren(...causes.map(({ changes, equallyLikely }, index) => element('li', '',
    ...causes.length > 1 ? [element('p', 'hint', `${index === 0 ? 'either' : 'or'}, one of ${equallyLikely} explanations`)] : [],
    ...changes.flatMap(({ finding, interpretation, fix, texts }, index) => [
      ...finding === changes[index - 1]?.finding ? [] : [element('p', 'finding', ...sentence(finding)), ...texts === undefined ? [] : [compared(texts)]],
      ...interpretation === '' ? [] : [element('p', 'interpretation', interpretation)],
      element('p', 'fix', `→ ${fix}`)
    ]))))
}

function showVerdict ({ refusal, diagnosis }: Inspection): void {
  if (refusal !== '') return showStatus('bad', 'The service refuses this request.', refusal)
  if (diagnosis === undefined) {
    return showStatus('', 'No signature to compare.', 'The service hashes the text below for part 1.')
  }
  const { finding, causes, hints } = diagnosis
  if (finding === 'matches') {
    const open = 'Part 2 was not checked, because it contains the token. The command below checks it.'
    return causes.length === 0
      ? showStatus('warn', 'Part 1 is right.', `The signature has the right format. ${open}`)
      : showStatus('bad', 'Part 1 is right, but the format of the signature is wrong.', open)
  }
  if (hints.some(hint => hint.startsWith('This is not a signature'))) return showStatus('bad', 'The format of the signature is wrong.')
  const explanations = ['No cause was found.', 'One cause was found, below.'][causes.length]
  showStatus('bad', 'Part 1 is wrong.', explanations ?? `${causes.length} causes are possible, below, the most likely first.`)
}

function showInspection (inspection: Inspection): void {
  const { explanation, oddCharacters, diagnosis, command } = inspection
  byId('command').textContent = command
  byId('next').hidden = command === ''
  showVerdict(inspection)
  showCauses(diagnosis?.causes ?? [])
  const warned = explanation?.warnings.map(({ message }) => message) ?? []
  byId('hints').replaceChildren(...(diagnosis?.hints ?? []).filter(hint => !warned.includes(hint)).map(hint => element('li', '', hint)))
  showOddCharacters(oddCharacters) // white space and what is invisible, with its position
  byId('details').hidden = false
  if (explanation === undefined) return
  const warnings = explanation.warnings.filter(({ code }) => code !== 'invisible-character' && code !== 'white-space')
  byId('warnings').replaceChildren(...warnings.map(({ message }) => element('li', '', message)))
  byId('usually-wrong').hidden = warnings.length === 0
  showExplanation(explanation)
  byId('explanation').hidden = false
}

const form = byId<HTMLFormElement>('inspection')

/** Resolves when the browser has drawn the changes. */
const drawn = () => new Promise(resolve => { requestAnimationFrame(() => setTimeout(resolve)) })

async function show (): Promise<void> {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name))
  for (const id of ['details', 'explanation', 'usually-wrong', 'next']) byId(id).hidden = true
  for (const id of ['causes', 'hints']) byId(id).replaceChildren()
  showStatus('', 'Searching for the cause …')
  await drawn()
  try {
    showInspection(inspect(text('variant') as Variant, text('request'), text('signature')))
  } catch (error) {
    const { message } = error as Error
    showStatus('bad', `${message.charAt(0).toUpperCase()}${message.slice(1)}`)
  }
}

/** Shows verdict and causes on a phone, where they are below the form. */
const scrollToVerdict = (): void =>
  byId('result').scrollIntoView({ block: matchMedia('(min-width: 56rem)').matches ? 'nearest' : 'start' })

form.addEventListener('submit', async event => {
  event.preventDefault()
  await show()
  scrollToVerdict()
})

async function inspectGiven (given: URLSearchParams): Promise<void> {
  for (const name of ['variant', 'request', 'signature']) {
    const control = form.elements.namedItem(name) as HTMLInputElement | RadioNodeList
    control.value = given.get(name) ?? ''
  }
  await show()
}

/** Reads the request after # in the URL, which browsers never send. The checkout page links to it. */
async function takeOver (): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1))
  if (given.has('request')) await inspectGiven(given)
}

/** A request whose amount differs from the signed one. */
const example = new URLSearchParams({
  variant: 'A',
  request: JSON.stringify({
    operationType: 'purchase',
    amount: '100',
    merchantAccountNumber: '102551',
    orderId: 'ORDER-12345',
    sid: 'client-generated-session-id',
    clientTimeStamp: 1709912345678
  }, null, 2),
  signature: '8e55f6ac4f689ca8c5c66fbe298c047af2a76712aaea30393648640d9517c9db///' +
    '21a07e43cbe082f4591299022606d8229ab88769f5987c9287e301fb472bd755'
})

byId('example').addEventListener('click', async () => {
  await inspectGiven(example)
  scrollToVerdict()
})

addEventListener('hashchange', takeOver)
await takeOver()
document.body.dataset.ready = ''
