// Asks this browser for a passkey, and sends its answer with the form.
const form = document.querySelector('form[data-passkey]')
const problem = document.getElementById('passkey-problem')
const { create, get } = JSON.parse(form.dataset.passkey)

async function ask() {
  problem.hidden = true
  try {
    const credential = create
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(create) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(get) })
    form.elements[form.dataset.field].value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch (error) {
    const words = { NotAllowedError: 'cancelled', InvalidStateError: 'known' }[error.name] ?? 'unsupported'
    problem.textContent = problem.dataset[words]
    problem.hidden = false
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})
if ('now' in form.dataset) ask()
