// Fills in the code that the link carries behind #, which no server sees, and follows what happens meanwhile.
const code = document.querySelector('#code')
if (code && location.hash.length > 1) {
  code.value = decodeURIComponent(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
}

// The link of the next start, opened in this tab: the browser would stay on the page.
addEventListener('hashchange', () => location.reload())

const { version, starting } = document.querySelector('main').dataset
const follow = async () => {
  try {
    if (starting !== undefined) {
      const answer = await fetch('/ready', { cache: 'no-store' })
      const { status } = await answer.json()
      if (status === 'ready') {
        document.querySelector('#starting').hidden = true
        document.querySelector('#running').hidden = false
        return
      }
      // It could not start, and set-up says why.
      const state = await fetch('/setup/state', { cache: 'no-store' })
      if (state.ok && !(await state.json()).starting) return location.replace('/setup')
    } else {
      const answer = await fetch('/setup/state', { cache: 'no-store' })
      // Set-up was started again, or goes on in another browser.
      if (answer.status === 403) return location.reload()
      if (answer.ok && String((await answer.json()).version) !== version) return location.reload()
    }
  } catch {
    // It is starting, or was stopped. Ask again.
  }
  setTimeout(follow, 1_000)
}
if (version !== undefined || starting !== undefined) setTimeout(follow, 1_000)
