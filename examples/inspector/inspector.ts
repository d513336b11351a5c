import { readerOf } from '../../src/scheme/variants.js'
import type { Variant } from '../../src/scheme/variants.js'
import type { ExplainedTerm, Explanation } from '../../tools/explain/explain.js'
import { oddityOf } from './characters.js'
import { inspect } from './inspect.js'
import type { Inspection, OddCharacter } from './inspect.js'
import type { Part1Diagnosis } from './part1-diagnosis.js'

/** Longer texts are cut off for display; they are hashed as a whole. In characters. */
const maxLength = 2000

/** More odd characters are counted, not shown. */
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

/** A text as it is shown: odd characters with their code point. */
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

function showExplanation ({ variant, terms, part1 }: Explanation): void {
  const ofPart1 = readerOf(variant).parts.part1.map(name => terms.find(term => term.name === name) as ExplainedTerm)
  byId('pre-image').replaceChildren(...ofPart1.map(({ name, text }) => {
    const span = element('span', `term ${name}`, ...shown(text))
    span.title = name
    return span
  }))
  byId('terms').replaceChildren(...ofPart1.map(({ name, text, source }) => {
    const heading = element('th', name, name)
    heading.setAttribute('scope', 'row')
    const value = text === '' ? element('em', '', 'empty') : element('code', '', ...shown(text))
    return element('tr', '', heading, element('td', '', value, ...(source === name ? [] : [element('p', 'hint', source)])))
  }))
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

/** A sentence, whose own spaces are no odd characters. */
const sentence = (text: string): HTMLElement[] =>
  text.split(' ').flatMap((word, index) => [...(index === 0 ? [] : [element('span', '', ' ')]), ...shown(word)])

function showCauses (causes: Part1Diagnosis['causes']): void {
  byId('causes').replaceChildren(...causes.map(({ changes }) => element('li', '', ...changes.flatMap(({ finding, fix }) =>
    [element('p', 'finding', ...sentence(finding)), element('p', 'fix', fix)]))))
}

function showVerdict ({ refusal, diagnosis }: Inspection): void {
  if (refusal !== '') return showStatus('bad', 'The service refuses this request.', refusal)
  if (diagnosis === undefined) {
    return showStatus('', 'No signature to compare.', 'Below is what the service hashes for part 1.')
  }
  const { finding, causes } = diagnosis
  if (finding === 'matches') {
    return causes.length === 0
      ? showStatus('good', 'Part 1 is right.')
      : showStatus('bad', 'Part 1 is right, but not the form of the signature.')
  }
  const explanations = ['Nothing that was tried explains it.', 'This explains it:'][causes.length] ?? 'One of these explains it, the likeliest first:'
  showStatus('bad', 'Part 1 is wrong.', explanations)
}

function showInspection (inspection: Inspection): void {
  const { explanation, oddCharacters, diagnosis } = inspection
  showVerdict(inspection)
  showCauses(diagnosis?.causes ?? [])
  byId('hints').replaceChildren(...(diagnosis?.hints ?? []).map(hint => element('li', '', hint)))
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

/** Until the browser has drawn what was changed so far. */
const drawn = () => new Promise(resolve => { requestAnimationFrame(() => setTimeout(resolve)) })

async function show (): Promise<void> {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name))
  for (const id of ['details', 'explanation', 'usually-wrong']) byId(id).hidden = true
  for (const id of ['causes', 'hints']) byId(id).replaceChildren()
  showStatus('', 'Looking for what was signed …')
  await drawn()
  try {
    showInspection(inspect(text('variant') as Variant, text('request'), text('signature')))
  } catch (error) {
    const { message } = error as Error
    showStatus('bad', `${message.charAt(0).toUpperCase()}${message.slice(1)}`)
  }
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  await show()
  byId('status').scrollIntoView({ block: 'nearest' }) // on a phone it is below
})

/** The checkout page passes on what it has, after #, which browsers send nowhere. */
async function takeOver (): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1))
  if (!given.has('request')) return
  for (const name of ['variant', 'request', 'signature']) {
    const control = form.elements.namedItem(name) as HTMLInputElement | RadioNodeList
    control.value = given.get(name) ?? ''
  }
  await show()
}

addEventListener('hashchange', takeOver)
await takeOver()
document.body.dataset.ready = ''
