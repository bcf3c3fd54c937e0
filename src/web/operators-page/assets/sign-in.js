// Browsers send nothing after # to a server. The form sends the key when the person presses the button.
const [form, key, missing] = ['sign-in', 'key', 'missing'].map((id) => document.getElementById(id))

function readKey() {
  key.value = location.hash.slice(1)
  form.hidden = key.value === ''
  missing.hidden = key.value !== ''
}

addEventListener('hashchange', readKey)
readKey()
