const announcement = document.createElement('p')
announcement.role = 'status'
announcement.className = 'announcement'
document.body.append(announcement)

/** Copies the text of an element, and resolves to the result for the user. */
async function copy (source) {
  try {
    await navigator.clipboard.writeText(source.innerText)
    return 'Copied'
  } catch { // a page over plain HTTP has no clipboard, and a user may refuse access
    globalThis.getSelection().selectAllChildren(source)
    return 'Selected: copy it now'
  }
}

// Each button copies the text of the element whose ID is in data-copy.
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
