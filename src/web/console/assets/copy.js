// A button beside each secret that is shown only once copies it.
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = button.dataset.copied
    } catch {
      // Without https, a browser may forbid copying. The text is then selected, so the person can copy it with a key.
      getSelection().selectAllChildren(code)
      button.textContent = button.dataset.chosen
    }
    setTimeout(() => {
      button.textContent = label
    }, 2_000)
  })
}
