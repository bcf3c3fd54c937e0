// Browsers send nothing after # to a server. A key in the query works too.
const key = [location.hash, location.search].map((part) => new URLSearchParams(part.slice(1)).get('key')).find(Boolean)
const list = document.getElementById('events')
const SIGNS = { tip: '⚡', reward: '🏅', drop: '🎁', giveaway: '🎉', 'pool-gift': '💰' }
const [MAX_SHOWN, SHOWN_MS, PAUSE_MS] = [5, 8_000, 2_000]
const { connecting, connected, noKey, wrongKey, sats: unit, testSats: testUnit } = list.dataset
let last = ''
/** The line that says whether the page works, until somebody gives something. */
let hint

function show(text) {
  const item = document.createElement('li')
  item.textContent = text
  list.append(item)
  while (list.children.length > MAX_SHOWN) list.firstElementChild.remove()
  return item
}

function say(text) {
  hint?.remove()
  hint = show(text)
  hint.className = 'hint'
}

/**
 * Shows for a moment that the page is connected, but only the first time: viewers of a stream need not hear of later
 * reconnections.
 */
function sayConnected() {
  if (!hint) return
  say(connected)
  const shown = hint
  hint = undefined
  setTimeout(() => shown.remove(), SHOWN_MS)
}

function hear(block) {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s)))
  if (!fields.has('data')) return
  last = fields.get('id')
  const { type, amountMsats, testMoney } = JSON.parse(fields.get('data'))
  const sats = (Number(amountMsats) / 1_000).toLocaleString(undefined, { maximumFractionDigits: 3 })
  list.querySelector('.hint')?.remove()
  const item = show(`${SIGNS[type] ?? '⚡'} ${sats} ${testMoney ? testUnit : unit}`)
  setTimeout(() => item.remove(), SHOWN_MS)
}

/** Reads events until the stream ends. Resolves to whether another attempt makes sense. */
async function read() {
  const headers = { authorization: `Bearer ${key}`, ...(last !== '' && { 'last-event-id': last }) }
  const response = await fetch('/api/v1/events', { headers, cache: 'no-store' })
  if (!response.ok) {
    if (response.status === 410) last = ''
    if (response.status === 401) say(wrongKey)
    if (response.status === 403) say((await response.json()).message)
    return response.status !== 401 && response.status !== 403
  }
  sayConnected()
  let text = ''
  for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) return true
    const blocks = (text + value).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) hear(block)
  }
}

// A new key behind # loads nothing by itself.
addEventListener('hashchange', () => location.reload())
say(key ? connecting : noKey)
for (let goesOn = Boolean(key); goesOn; ) {
  goesOn = await read().catch(() => true)
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
