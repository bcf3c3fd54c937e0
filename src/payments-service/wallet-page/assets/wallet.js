// Makes the page more comfortable in browsers that run scripts. Everything on it works without them.

const WATCH_MS = 2000
const TIMEOUT_MS = 15_000

/** Reloads the page as soon as its state on the server has changed, unless the reader is typing. */
function watch(main) {
  const { watch: path, state } = main.dataset
  let failures = 0
  const look = async () => {
    if (document.hidden) return void setTimeout(look, WATCH_MS)
    try {
      const answer = await fetch(path, { headers: { accept: 'application/json' }, credentials: 'same-origin' })
      failures = answer.ok ? 0 : failures + 1
      const isTyping =
        ['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName) && !document.activeElement.readOnly
      if (answer.ok && (await answer.json()).state !== state && !isTyping) return location.reload()
    } catch {
      failures += 1
    }
    setTimeout(look, WATCH_MS * 2 ** Math.min(failures, 5))
  }
  setTimeout(look, WATCH_MS)
}

/** Shows a hidden button that copies the text beside it and then confirms the copy for two seconds. */
function offerCopying(button) {
  button.hidden = false
  const label = button.textContent
  button.addEventListener('click', async () => {
    const field = button.parentElement.querySelector('textarea, input')
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
    } catch {
      field.select()
      document.execCommand('copy')
    }
    button.textContent = main.dataset.copied
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

/** The page's language. Dates are written in the reader's own variant of it, such as `en-GB`. */
const { lang } = document.documentElement
const locale = navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang

/** Shows a moment in the reader's own time zone, with the digits that the page's amounts have. */
function tellTime(element) {
  const at = new Date(element.dateTime)
  element.title = element.textContent
  const format = { dateStyle: 'medium', timeStyle: 'short', numberingSystem: 'latn' }
  element.textContent = new Intl.DateTimeFormat(locale, format).format(at)
}

/**
 * Disables a form's buttons once it is submitted, because a second press would only lead to the same page later.
 * Enables them again after 15 seconds, because the first request may have been lost on the way.
 */
function calmSubmits(form) {
  form.addEventListener('submit', () => {
    setTimeout(() => rest(form, true))
    setTimeout(() => rest(form, false), TIMEOUT_MS)
  })
}

function rest(form, isBusy) {
  for (const button of form.querySelectorAll('button')) {
    button.disabled = isBusy
    button.setAttribute('aria-busy', isBusy)
  }
}

/** Makes the menu of languages close on Escape, and on a click anywhere else. */
function makeCloseable(menu) {
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary').focus()
  })
  addEventListener('click', ({ target }) => {
    if (!menu.contains(target)) menu.open = false
  })
}

const main = document.querySelector('main')
if (main.dataset.watch) watch(main)
for (const button of document.querySelectorAll('[data-copy]')) offerCopying(button)
for (const element of document.querySelectorAll('time')) tellTime(element)
for (const form of document.forms) calmSubmits(form)
makeCloseable(document.querySelector('.languages'))

// The browser shows a cached page as it was left, so its buttons must work again.
addEventListener('pageshow', () => {
  for (const form of document.forms) rest(form, false)
})
