// No server receives the part after # automatically: a form sends it when its button is pressed.
const [ways, missing, unread, finish, connect] = ['ways', 'missing', 'unread', 'finish', 'connect'].map((id) =>
  document.getElementById(id),
)
const keys = document.querySelectorAll('[name=key]')

function readKey() {
  for (const key of keys) key.value ||= location.hash.slice(1)
  const isLink = keys[0].value !== '' || connect.elements.state.value !== ''
  missing.hidden = isLink
  ways.hidden = true
  if (isLink) showWhose(keys[0].value)
}

/** Shows for whom the link connects a wallet, before the page asks for the wallet. */
async function showWhose(key) {
  const body = new URLSearchParams({ key, language: document.documentElement.lang })
  const whose = await fetch(ways.dataset.whose, { method: 'POST', body }).then(
    (answer) => answer.json(),
    () => ({}),
  )
  // Another link was opened meanwhile.
  if (key !== keys[0].value) return
  const { account = '', server = '', problem = unread.dataset.text } = whose
  document.getElementById('account').textContent = account
  const place = document.getElementById('server')
  place.textContent = server
  place.parentElement.hidden = server === ''
  ways.hidden = account === ''
  unread.hidden = !ways.hidden
  unread.textContent = unread.hidden ? '' : problem
}

/** Submits the form with the key and the relays that a hub returned. */
function readHub(answer) {
  finish.elements.state.value = answer.get('state')
  finish.elements.wallet.value = answer.get('pubkey')
  for (const value of answer.getAll('relay')) {
    finish.prepend(Object.assign(document.createElement('input'), { type: 'hidden', name: 'relay', value }))
  }
  missing.hidden = true
  finish.hidden = false
  finish.requestSubmit()
}

/** Fills the form with the connection that a wallet app returned. */
function readApp(answer) {
  connect.elements.state.value = answer.get('state')
  connect.elements.connection.value = answer.get('value')
  document.getElementById('answered').hidden = false
  for (const way of ways.querySelectorAll('details')) way.hidden = !way.contains(connect)
  missing.hidden = true
  showWhose('')
}

const answer = new URLSearchParams(location.search)
// Remove the connection from the address bar and the history.
if (answer.has('state')) {
  const kept = answer.has('language') ? `?language=${encodeURIComponent(answer.get('language'))}` : ''
  history.replaceState(null, '', location.pathname + kept + location.hash)
}
if (finish && answer.has('state') && answer.has('pubkey')) readHub(answer)
else if (finish && answer.has('state') && answer.has('value')) readApp(answer)
else if (!document.getElementById('account').textContent) readKey()

addEventListener('hashchange', () => {
  for (const key of keys) key.value = ''
  connect.elements.state.value = ''
  readKey()
})
