// Each secret that is shown once has a button that copies it.
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = button.dataset.copied
    } catch {
      // Without https a browser may forbid it: the text is chosen, so that a key copies it.
      getSelection().selectAllChildren(code)
      button.textContent = button.dataset.chosen
    }
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}
