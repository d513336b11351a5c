// Swagger UI has a dark theme, and leaves it to the page when.
const dark = globalThis.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width, initial-scale=1">')
document.body.insertAdjacentHTML('afterbegin', '<nav aria-label="Examples"><a href="/checkout/">Checkout</a>' +
  '<a href="/inspector/">Inspector</a><a href="/documentation/" aria-current="page">API reference</a></nav>')

/** What those who do not see the page, or use the keyboard, miss in Swagger UI. */
const attributes = [
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About'],
  ['.schemes-server-container', 'role', 'region'],
  ['.schemes-server-container', 'aria-label', 'Server'],
  ['.dialog-ux', 'role', 'dialog'],
  ['.dialog-ux', 'aria-label', 'API key'],
  ['h3', 'aria-level', '2'],
  ['h4', 'aria-level', '3'],
  ['h5', 'aria-level', '4'],
  ['h6', 'aria-level', '5'],
  ['.servers select', 'aria-label', 'Server'],
  ['.examples-select select', 'aria-label', 'Example'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.responses-table', 'role', 'table'],
  ['pre', 'tabindex', '0'],
  ['.close-modal', 'aria-label', 'Close'],
  ['.auth-btn-wrapper [type=submit]', 'aria-label', 'Authorize']
]

new globalThis.MutationObserver(() => {
  for (const [selector, name, value] of attributes) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value)
    }
  }
}).observe(document.body, { childList: true, subtree: true })
