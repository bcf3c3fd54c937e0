// Browsers send nothing after # to a server. A key in the query works too.
const key = [location.hash, location.search].map((part) => new URLSearchParams(part.slice(1)).get('key')).find(Boolean)
const list = document.getElementById('events')
const SIGNS = { tip: '⚡', reward: '🏅', drop: '🎁', giveaway: '🎉', 'pool-gift': '💰' }
const [MAX_SHOWN, SHOWN_MS, PAUSE_MS] = [5, 8_000, 2_000]
let last = ''

const HOW = `Open it as ${location.origin}/overlay#key=KEY. On Discord, /api-key create makes a key that hears what happens.`

function show(text) {
  const item = document.createElement('li')
  item.textContent = text
  list.append(item)
  while (list.children.length > MAX_SHOWN) list.firstElementChild.remove()
  return item
}

function hear(block) {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s)))
  if (!fields.has('data')) return
  last = fields.get('id')
  const { type, amountMsats, testMoney } = JSON.parse(fields.get('data'))
  const sats = (Number(amountMsats) / 1_000).toLocaleString(undefined, { maximumFractionDigits: 3 })
  const item = show(`${SIGNS[type] ?? '⚡'} ${sats} ${testMoney ? 'test sats' : 'sats'}`)
  setTimeout(() => item.remove(), SHOWN_MS)
}

/** Reads until the stream ends. Resolves to whether another attempt makes sense. */
async function read() {
  const headers = { authorization: `Bearer ${key}`, ...(last !== '' && { 'last-event-id': last }) }
  const response = await fetch('/api/v1/events', { headers, cache: 'no-store' })
  if (!response.ok) {
    if (response.status === 410) last = ''
    if (response.status === 401) show(`The key of this page does not work. ${HOW}`)
    if (response.status === 403) show((await response.json()).message)
    return response.status !== 401 && response.status !== 403
  }
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
if (!key) show(`This page needs a key. ${HOW}`)
for (let goesOn = Boolean(key); goesOn; ) {
  goesOn = await read().catch(() => true)
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
