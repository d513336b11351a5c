import { requestSignature } from '/client.js'
import { languages, sampleOf } from '/samples/sample.js'
import { recordedBuilder } from './builder.js'
import { reasonFor } from './unreachable.js'
import { warningsAbout } from './warnings.js'

const form = document.getElementById('payment')
const button = form.querySelector('button')
const [status, warnings, inspect, request, answer, calls, builderName, samples, sample, run] =
  ['status', 'warnings', 'inspect', 'request', 'answer', 'calls', 'builder', 'samples', 'sample', 'run']
    .map(id => document.getElementById(id))

const endpoints = await (await fetch('/services.json')).json()

/** What was signed last, as arguments for sampleOf. */
let signed

const json = value => JSON.stringify(value, null, 2)

/** Shows the fields that the chosen operation signs. Hidden ones are disabled, so that they are not sent. */
function showFields () {
  const { variant, operationType } = form.elements
  const operation = variant.value === 'B' ? 'purchase' : operationType.value
  for (const part of form.querySelectorAll('[data-variant], [data-operations]')) {
    const { dataset: { variant: only = variant.value, operations = operation } } = part
    part.hidden = only !== variant.value || !operations.split(' ').includes(operation)
    for (const control of part.querySelectorAll('input')) control.disabled = part.hidden
  }
}

function element (tag, ...content) {
  const created = document.createElement(tag)
  created.append(...content)
  return created
}

function say (kind, title, details = '') {
  status.className = `status ${kind}`
  status.replaceChildren(element('strong', title), details)
}

function showCalls (list) {
  calls.replaceChildren(...list.map(({ name, args }) =>
    element('li', element('b', name), `(${args.map(arg => JSON.stringify(arg)).join(', ')})`)))
}

async function showSample () {
  const language = document.querySelector('[name=language]:checked').value
  const source = await (await fetch(`/samples/sign.${language}`)).text()
  sample.textContent = sampleOf(language, source, ...signed)
  run.textContent = `MERCHANT_TOKEN=development-only-token ${languages[language].run}`
  samples.hidden = false
}

/** Whether to go on: there are no warnings, or the user has seen them and presses the button again. */
function isConfirmed ({ variant, url, ...fields }) {
  const found = warningsAbout(variant, fields)
  if (found.length === 0 || warnings.hasChildNodes()) return true
  warnings.append(element('strong', 'Legal, and usually a mistake:'), element('ul', ...found.map(text => element('li', text))))
  button.textContent = 'Sign anyway'
  return false
}

form.addEventListener('input', () => {
  warnings.replaceChildren()
  button.textContent = 'Get signature'
})

async function pay ({ variant, url, ...fields }) {
  inspect.hidden = true
  samples.hidden = true
  request.textContent = json(fields)
  answer.textContent = ''
  showCalls([])
  say('', 'Asking the service …')
  try {
    const result = await requestSignature({ url, variant, ...fields })
    const { signature, applyTo, ...sent } = result
    request.textContent = json(sent)
    answer.textContent = json({ signature })

    const { builder, calls, name } = recordedBuilder()
    result.applyTo(builder)
    builderName.textContent = name
    showCalls(calls)

    // After #, which browsers keep to themselves.
    inspect.firstChild.hash = new URLSearchParams({ variant, request: json(sent), signature })
    inspect.hidden = false
    signed = [variant, sent]
    await showSample()
    say('good', 'Signed.', 'The payment request carries the very values that were signed.')
  } catch (error) {
    const kind = [error.code, error.status && `status ${error.status}`].filter(Boolean).join(', ')
    const { title, advice } = await reasonFor(error, url)
    say('bad', title, advice === '' ? kind : `${advice} (${kind})`)
  }
}

form.addEventListener('change', ({ target: { name } }) => {
  if (name === 'variant') form.elements.url.value = endpoints[form.elements.variant.value]
  showFields()
})

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (button.ariaDisabled === 'true') return // disabled for real, it would lose the focus
  const given = Object.fromEntries([...new FormData(form)].filter(([name, value]) => value !== '' || name === 'amount'))
  if (!isConfirmed(given)) return
  button.ariaDisabled = 'true'
  await pay(given)
  status.scrollIntoView({ block: 'nearest' }) // on a phone it is below
  button.ariaDisabled = null
})

for (const radio of document.querySelectorAll('[name=language]')) radio.addEventListener('change', showSample)

form.elements.url.value = endpoints[form.elements.variant.value]
showFields()
document.body.dataset.ready = ''
