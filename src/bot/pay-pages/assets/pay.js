// Makes the page more comfortable in browsers that run scripts. Everything on it works without them.
;(() => {
  const WATCH_MS = 2000
  const main = document.querySelector('main')

  /** Reloads the page when the card's state has changed. */
  function watch(path, state) {
    let failures = 0
    const look = async () => {
      try {
        if (!document.hidden) {
          const answer = await fetch(path, { headers: { accept: 'application/json' }, credentials: 'omit' })
          if (answer.ok && (await answer.json()).state !== state) return location.reload()
          failures = answer.ok ? 0 : failures + 1
        }
      } catch {
        failures += 1
      }
      setTimeout(look, WATCH_MS * 2 ** Math.min(failures, 5))
    }
    setTimeout(look, WATCH_MS)
    // A person who comes back from their wallet wants to see it at once.
    addEventListener('visibilitychange', () => {
      if (!document.hidden) look()
    })
  }

  /** Shows the button that copies the code, and makes the button confirm each copy. */
  function offerCopying(button) {
    button.hidden = false
    const label = button.textContent
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy)
      } catch {
        const details = document.querySelector('details')
        details.open = true
        details.querySelector('textarea').select()
        document.execCommand('copy')
      }
      button.textContent = button.dataset.copied
      setTimeout(() => {
        button.textContent = label
      }, 2000)
    })
  }

  if (main.dataset.watch) watch(main.dataset.watch, main.dataset.state)
  for (const button of document.querySelectorAll('[data-copy]')) offerCopying(button)
})()
