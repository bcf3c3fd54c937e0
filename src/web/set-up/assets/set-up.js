// Fills in the code that the link carries after #, which no server sees, and follows the set-up's progress.
const code = document.querySelector('#code')
if (code && location.hash.length > 1) {
  code.value = decodeURIComponent(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
}

// The person opened the link of the next start in this tab; without a reload the browser would stay on this page.
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
      // The bot could not start, and set-up explains why.
      const state = await fetch('/setup/state', { cache: 'no-store' })
      if (state.ok && !(await state.json()).starting) return location.replace('/setup')
    } else {
      const answer = await fetch('/setup/state', { cache: 'no-store' })
      // Set-up was started again, or continues in another browser.
      if (answer.status === 403) return location.reload()
      if (answer.ok && String((await answer.json()).version) !== version) return location.reload()
    }
  } catch {
    // The bot is starting, or was stopped. Ask again.
  }
  setTimeout(follow, 1_000)
}
if (version !== undefined || starting !== undefined) setTimeout(follow, 1_000)

// Sends a backup unchanged. The page shows the outcome when it loads again.
const [file, restore, restoring, cut] = ['backup', 'restore', 'restoring', 'cut'].map((id) =>
  document.getElementById(id),
)
const show = (isBusy, isCut) => {
  restore.disabled = isBusy
  restoring.hidden = !isBusy
  cut.hidden = !isCut
}
restore?.addEventListener('click', async () => {
  const [chosen] = file.files
  if (!chosen) return file.focus()
  show(true, false)
  try {
    const headers = { 'content-type': 'application/x-tar' }
    const answer = await fetch('/setup/restore', { method: 'POST', headers, body: chosen })
    show(false, !answer.ok)
  } catch {
    show(false, true)
  }
})
