// Give each command line and each piece of code a copy button.
for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
    } catch {
      // Without https a browser may forbid it. Select the text, so that a key copies it.
      getSelection().selectAllChildren(block.querySelector('code'))
      button.textContent = 'Press Ctrl+C'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const frame = document.createElement('div')
  frame.className = 'copied'
  block.replaceWith(frame)
  frame.append(block, button)
}
