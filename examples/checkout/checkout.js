import { requestSignature } from '/client.js'
import { recordedBuilder } from './builder.js'

const form = document.getElementById('payment')
const button = form.querySelector('button')
const [status, inspect, request, answer, calls, builderName] =
  ['status', 'inspect', 'request', 'answer', 'calls', 'builder'].map(id => document.getElementById(id))

const endpoints = await (await fetch('/services.json')).json()

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

function say (kind, title, details = '') {
  status.className = `status ${kind}`
  const strong = document.createElement('strong')
  strong.textContent = title
  status.replaceChildren(strong, details)
}

function showCalls (list) {
  calls.replaceChildren(...list.map(({ name, args }) => {
    const item = document.createElement('li')
    const method = document.createElement('b')
    method.textContent = name
    item.append(method, `(${args.map(arg => JSON.stringify(arg)).join(', ')})`)
    return item
  }))
}

async function pay () {
  const { variant, url, ...fields } = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  inspect.hidden = true
  request.textContent = json(fields)
  answer.textContent = ''
  showCalls([])
  say('', 'Asking the service …')
  try {
    const signed = await requestSignature({ url, ...fields })
    const { signature, applyTo, ...sent } = signed
    request.textContent = json(sent)
    answer.textContent = json({ signature })

    const { builder, calls, name } = recordedBuilder()
    signed.applyTo(builder)
    builderName.textContent = name
    showCalls(calls)

    // After #, which browsers keep to themselves.
    inspect.firstChild.hash = new URLSearchParams({ variant, request: json(sent), signature })
    inspect.hidden = false
    say('good', 'Signed.', 'The payment request carries the very values that were signed.')
  } catch (error) {
    say('bad', error.message, [error.code, error.status && `status ${error.status}`].filter(Boolean).join(', '))
  }
}

form.addEventListener('change', ({ target: { name } }) => {
  if (name === 'variant') form.elements.url.value = endpoints[form.elements.variant.value]
  showFields()
})

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (button.ariaDisabled === 'true') return // disabled for real, it would lose the focus
  button.ariaDisabled = 'true'
  await pay()
  status.scrollIntoView({ block: 'nearest' }) // on a phone it is below
  button.ariaDisabled = null
})

form.elements.url.value = endpoints[form.elements.variant.value]
showFields()
document.body.dataset.ready = ''
