import type { Variant } from '../../src/scheme/request.js'
import { oddityOf } from './characters.js'
import { part1Terms } from './guesses.js'
import type { Part1, Part1Term } from './guesses.js'
import { inspect } from './inspect.js'
import type { Inspection } from './inspect.js'

const names: Readonly<Record<Part1Term, string>> = {
  clientTimeStamp: 'Time stamp', sid: 'Session id', amount: 'Amount', referenceNumber: 'Reference'
}

/** Longer texts are cut off for display; they are hashed as a whole. */
const maxLength = 2000

function byId<Type extends HTMLElement = HTMLElement> (id: string): Type {
  return document.getElementById(id) as Type
}

function element (tag: string, className: string, ...content: Array<string | Node>): HTMLElement {
  const created = document.createElement(tag)
  created.className = className
  created.append(...content)
  return created
}

function showStatus (kind: 'good' | 'bad', title: string, details = ''): void {
  const status = byId('status')
  status.className = `status ${kind}`
  status.replaceChildren(element('strong', '', title), details)
}

/** One character as it is shown: odd ones with their code point. */
function shown (character: string): HTMLElement {
  const oddity = oddityOf(character)
  if (oddity === undefined) return element('span', '', character)
  const { codePoint, name, isVisible } = oddity
  const mark = element('mark', '', isVisible ? `${character} ${codePoint}` : codePoint)
  mark.title = name
  return mark
}

function showPreImage (terms: Part1): void {
  byId('pre-image').replaceChildren(...part1Terms.map(term => {
    const span = element('span', `term ${term}`, ...[...terms[term]].slice(0, maxLength).map(shown))
    span.title = names[term]
    return span
  }))
  const rows = part1Terms.flatMap(term => [...terms[term]].slice(0, maxLength).flatMap((character, index) => {
    const oddity = oddityOf(character)
    if (oddity === undefined) return []
    const cells = [names[term], String(index + 1), oddity.codePoint, oddity.name]
    return [element('tr', '', ...cells.map(text => element('td', '', text)))]
  }))
  byId('oddities').replaceChildren(...rows)
  byId('oddities-table').hidden = rows.length === 0
  byId('no-oddities').hidden = rows.length > 0
}

const quoted = (text: string): HTMLElement => text === '' ? element('em', '', 'empty') : element('code', '', text)

function showTerms ({ terms, signed }: Inspection): void {
  byId('terms').replaceChildren(...part1Terms.map(term => {
    const verdict = signed === undefined
      ? element('td', '', 'unknown')
      : signed[term] === terms[term]
        ? element('td', 'right', 'right')
        : element('td', 'wrong', 'wrong: signed as ', quoted(signed[term]))
    const heading = element('th', term, names[term])
    heading.setAttribute('scope', 'row')
    return element('tr', '', heading, element('td', '', quoted(terms[term])), verdict)
  }))
}

function showVerdict ({ terms, signed }: Inspection): void {
  if (signed === terms) {
    return showStatus('good', 'Part 1 is right.', 'Time stamp, session id, amount and reference are what was signed. Part 2 ' +
      'also has the token, the account number and, in variant A, the order id; checking it needs the token.')
  }
  if (signed === undefined) {
    return showStatus('bad', 'Part 1 is wrong.', 'At least one of the four terms is not what was signed, and no common ' +
      'mistake explains it. Compare each with what the payment request carries.')
  }
  const wrong = part1Terms.filter(term => signed[term] !== terms[term]).map(term => names[term].toLowerCase())
  showStatus('bad', `Part 1 is wrong: ${wrong.join(' and ')}.`, 'The signature was made with another text: see the table.')
}

const form = byId<HTMLFormElement>('inspection')

async function show (): Promise<void> {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name))
  byId('details').hidden = true
  try {
    const inspection = await inspect(text('variant') as Variant, text('request'), text('signature'))
    showPreImage(inspection.terms)
    showTerms(inspection)
    byId('expected').textContent = inspection.expected
    byId('given').textContent = inspection.given
    byId('details').hidden = false
    showVerdict(inspection)
  } catch (error) {
    showStatus('bad', (error as Error).message)
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
