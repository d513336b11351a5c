import { requestSignature } from 'payment-signature-client'
import '../copy.js'
import { recorded } from './recorded.js'
import { reasonFor } from './unreachable.js'
import { warningsAbout } from './warnings.js'
import { paymentRequest } from './web-sdk.js'

const form = document.getElementById('payment')
const button = form.querySelector('button')
const shopForm = document.getElementById('shop')
const [status, stale, warnings, request, answer, calls, send, outcome] =
  ['status', 'stale', 'warnings', 'request', 'answer', 'calls', 'send', 'outcome']
    .map(id => document.getElementById(id))

/** The payment request of the Web SDK for the latest signature. */
let payment

/** The fields of the result that is shown, as JSON. */
let submitted

const json = value => JSON.stringify(value, null, 2)

/** Returns the fields of the form. An empty amount is sent, because variant A signs a purchase without one. */
const fieldsOfForm = () =>
  Object.fromEntries([...new FormData(form)].filter(([name, value]) => value !== '' || name === 'amount'))

/** Returns what the Web SDK needs beside the signature. */
function shopOfForm () {
  const { partnerCode, btc, merchantToken } = shopForm.elements
  return { partnerCode: partnerCode.value, btc: Number(btc.value), merchantToken: merchantToken.value }
}

/** Shows the fields that the chosen operation signs. Hidden fields are disabled, so the form does not contain them. */
function showFields () {
  const { variant, operationType } = form.elements
  const operation = variant.value === 'B' ? 'purchase' : operationType.value
  for (const part of form.querySelectorAll('[data-variant], [data-operations]')) {
    const { dataset: { variant: only = variant.value, operations = operation } } = part
    part.hidden = only !== variant.value || !operations.split(' ').includes(operation)
    for (const control of part.querySelectorAll('input, select')) control.disabled = part.hidden
  }
}

function element (tag, ...content) {
  const created = document.createElement(tag)
  created.append(...content)
  return created
}

function showStatus (kind, title, details = '') {
  status.className = `status ${kind}`
  status.replaceChildren(element('strong', title), details)
}

function showStale () {
  const text = submitted === undefined || submitted === json(fieldsOfForm())
    ? ''
    : 'Stale: a field has changed. This result belongs to the earlier values.'
  if (stale.textContent !== text) stale.textContent = text
}

function showCalls (list) {
  calls.replaceChildren(...list.map(({ name, args }) =>
    element('li', element('b', name), `(${name === 'setMerchantToken' ? '…' : args.map(arg => JSON.stringify(arg)).join(', ')})`)))
}

/** Returns a response of an error as text: status, headers and body. */
function responseText ({ status, errorCode, requestId, retryAfter, message, code, url }) {
  if (status === undefined) return code === 'ERR_ARGUMENT' ? '' : 'No response'
  const headers = Object.entries({ 'Error-Code': errorCode, 'X-Request-Id': requestId, 'Retry-After': retryAfter })
  return [
    `HTTP ${status}`,
    ...headers.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`),
    ...code === 'ERR_REFUSED' && !message.startsWith(url) ? [json({ error: message })] : []
  ].join('\n')
}

/** Returns true if there are no warnings, or if the user has seen them and presses the button again. */
function isConfirmed ({ variant, url, ...fields }) {
  const found = warningsAbout(variant, fields)
  if (found.length === 0 || warnings.hasChildNodes()) return true
  warnings.append(element('strong', 'Legal, and usually a mistake:'), element('ul', ...found.map(text => element('li', text))))
  button.textContent = 'Sign anyway'
  return false
}

async function pay ({ variant, url, ...fields }) {
  send.hidden = true
  outcome.textContent = ''
  request.textContent = json(fields)
  answer.textContent = ''
  showCalls([])
  showStatus('', 'Waiting for the service …')
  try {
    const result = await requestSignature({ url, variant, ...fields })
    const { signature, applyTo, ...sent } = result
    request.textContent = json(sent)
    answer.textContent = json({ signature })

    const { sdk, calls } = recorded(globalThis.FawrySDK)
    payment = paymentRequest(result, shopOfForm(), sdk)
    showCalls(calls)
    send.hidden = globalThis.FawrySDK === undefined

    showStatus('good', 'Signed.', 'The payment request contains exactly the values that were signed.')
  } catch (error) {
    request.textContent = error.request ? json(error.request) : 'Nothing was sent'
    answer.textContent = responseText(error)
    const kind = [error.code, error.status && `status ${error.status}`].filter(Boolean).join(', ')
    const { title, advice } = await reasonFor(error, url)
    showStatus('bad', title, advice === '' ? kind : `${advice} (${kind})`)
  }
}

/** Sends the payment request. The result is for the shopper: only an inquiry of the shop's backend proves a payment. */
send.addEventListener('click', async () => {
  send.hidden = true // a signature is for one request
  outcome.textContent = 'Waiting for the payment …'
  try {
    outcome.textContent = json(await payment.send())
  } catch (error) {
    outcome.textContent = error.message
  }
})

form.addEventListener('input', () => {
  warnings.replaceChildren()
  button.textContent = 'Get signature'
  showStale()
})

const endpoint = () => form.dataset[form.elements.variant.value === 'A' ? 'endpointA' : 'endpointB']

form.addEventListener('change', ({ target: { name } }) => {
  if (name === 'variant') form.elements.url.value = endpoint()
  showFields()
  showStale()
})

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (button.ariaDisabled === 'true') return // the attribute `disabled` would move the focus
  const fields = fieldsOfForm()
  if (!isConfirmed(fields)) return
  button.ariaDisabled = 'true'
  submitted = json(fields)
  showStale()
  await pay(fields)
  showStale()
  status.scrollIntoView({ block: 'nearest' }) // on a phone, the result is below the form
  button.ariaDisabled = null
})

form.elements.url.value = endpoint()
showFields()
document.body.dataset.ready = ''
