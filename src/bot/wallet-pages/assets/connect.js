// What is behind # reaches no server by itself: a form sends it when its button is pressed.
const [ways, missing, finish, connect] = ['ways', 'missing', 'finish', 'connect'].map((id) =>
  document.getElementById(id),
)
const keys = document.querySelectorAll('[name=key]')

function readKey() {
  for (const key of keys) key.value ||= location.hash.slice(1)
  ways.hidden = keys[0].value === '' && connect.elements.state.value === ''
  missing.hidden = !ways.hidden
}

/** A hub led back here, with its own key and its relays. */
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

/** A wallet app led back here, with a connection. */
function readApp(answer) {
  connect.elements.state.value = answer.get('state')
  connect.elements.connection.value = answer.get('value')
  document.getElementById('answered').hidden = false
  for (const way of ways.querySelectorAll('details')) way.hidden = !way.contains(connect)
  ways.hidden = false
  missing.hidden = true
}

const answer = new URLSearchParams(location.search)
// A connection stays neither in the address bar nor in the history.
if (location.search !== '') history.replaceState(null, '', location.pathname + location.hash)
if (finish && answer.has('state') && answer.has('pubkey')) readHub(answer)
else if (finish && answer.has('state') && answer.has('value')) readApp(answer)
else readKey()

addEventListener('hashchange', () => {
  for (const key of keys) key.value = ''
  connect.elements.state.value = ''
  readKey()
})
