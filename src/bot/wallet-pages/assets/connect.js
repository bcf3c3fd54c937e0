// What is behind # reaches no server by itself: the form sends it when the button is pressed.
const [form, key, missing] = ['connect', 'key', 'missing'].map((id) => document.getElementById(id))

function readKey() {
  if (key.value === '') key.value = location.hash.slice(1)
  form.hidden = key.value === ''
  missing.hidden = key.value !== ''
}

addEventListener('hashchange', () => {
  key.value = ''
  readKey()
})
readKey()
