// What is behind # reaches no server by itself: the form sends it when the button is pressed.
const [form, key, missing] = ['sign-in', 'key', 'missing'].map((id) => document.getElementById(id))

function readKey() {
  key.value = location.hash.slice(1)
  form.hidden = key.value === ''
  missing.hidden = key.value !== ''
}

addEventListener('hashchange', readKey)
readKey()
