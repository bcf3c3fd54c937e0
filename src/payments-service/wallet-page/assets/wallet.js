// Comfort for browsers that run scripts. Everything on the page works without it.

const WATCH_MS = 2000
const TIMEOUT_MS = 15_000

/** Shows the page again when what it waits for has happened. */
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

/** A button that copies the text beside it, and says so. */
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

const LOOK_MS = 200
/** A code is read from a picture of this width: a larger one takes longer and shows no more. */
const LOOK_WIDTH = 640

/** Reads the codes in what a camera shows: by the browser itself where it can, else with a reader that is loaded. */
async function codeReader(path) {
  const known = (await globalThis.BarcodeDetector?.getSupportedFormats?.().catch(() => [])) ?? []
  if (known.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (picture) => (await detector.detect(picture))[0]?.rawValue
  }
  if (globalThis.jsQR === undefined) {
    const script = document.createElement('script')
    script.src = path
    document.head.append(script)
    await new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }))
  }
  return async (picture) => {
    const { data, width, height } = picture.getContext('2d').getImageData(0, 0, picture.width, picture.height)
    return jsQR(data, width, height)?.data
  }
}

/** A button that fills the field above it with the code that is held before the camera. */
function offerScanning(button) {
  if (navigator.mediaDevices?.getUserMedia === undefined) return
  button.hidden = false
  const dialog = document.getElementById('camera')
  const [video, problem, cancel] = ['video', '[role=alert]', 'button'].map((part) => dialog.querySelector(part))
  cancel.addEventListener('click', () => dialog.close())
  button.addEventListener('click', async () => {
    problem.hidden = true
    video.hidden = false
    dialog.showModal()
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      await video.play()
      const read = await codeReader(button.dataset.scan)
      const code = await lookUntilRead(video, read, () => dialog.open)
      if (code !== undefined) button.form.elements.to.value = code.replace(/^lightning:/i, '')
      dialog.close()
    } catch {
      video.hidden = true
      problem.hidden = false
    }
    for (const track of video.srcObject?.getTracks() ?? []) track.stop()
    video.srcObject = null
  })
}

/** Looks again and again, until there is a code in sight or the camera was closed. */
async function lookUntilRead(video, read, isOpen) {
  const picture = document.createElement('canvas')
  while (isOpen()) {
    picture.width = Math.min(LOOK_WIDTH, video.videoWidth)
    picture.height = Math.round((video.videoHeight * picture.width) / (video.videoWidth || 1))
    if (picture.width > 0) {
      picture.getContext('2d', { willReadFrequently: true }).drawImage(video, 0, 0, picture.width, picture.height)
      const code = await read(picture)
      if (code) return code
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** The page's language, as the reader writes its numbers and dates. */
const { lang } = document.documentElement
const locale = navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang

/** Moments in the reader's own time. */
function tellTime(element) {
  const at = new Date(element.dateTime)
  element.title = element.textContent
  element.textContent = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

/** A second press would lead to the same page, only later. After a while the first may have got lost on the way. */
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

/** The menu of languages closes like every menu: by Escape, and by a press anywhere else. */
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
for (const button of document.querySelectorAll('[data-scan]')) offerScanning(button)
for (const element of document.querySelectorAll('time')) tellTime(element)
for (const form of document.forms) calmSubmits(form)
makeCloseable(document.querySelector('.languages'))

// A page that the browser kept while it was away is shown as it was left: its buttons must work again.
addEventListener('pageshow', () => {
  for (const form of document.forms) rest(form, false)
})
