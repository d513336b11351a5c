const announcement = document.createElement('p')
announcement.role = 'status'
announcement.className = 'announcement'
document.body.append(announcement)

/** @returns what to tell the user */
async function copy (source) {
  try {
    await navigator.clipboard.writeText(source.innerText)
    return 'Copied'
  } catch { // on pages over plain HTTP there is no clipboard; and a user may refuse it
    globalThis.getSelection().selectAllChildren(source)
    return 'Selected: copy it now'
  }
}

// Each button copies the text of the element whose id its data-copy has.
for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent
  button.addEventListener('click', async () => {
    const result = await copy(document.getElementById(button.dataset.copy))
    button.textContent = result
    announcement.textContent = result
    setTimeout(() => {
      button.textContent = label
      announcement.textContent = ''
    }, 2000)
  })
}
