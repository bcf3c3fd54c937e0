import { html, useState, type VNode } from '../html.ts'
import { misbehave } from '../state/phone.ts'
import { parts } from '../state/session.ts'
import { Icon } from '../sides/icons.ts'

const payments = [
  ['fail', 'Next payment fails', 'The next payment that leaves the service will fail.'],
  ['hang', 'Next payment hangs', 'The next payment hangs until you let it go.'],
  ['unknown-then-paid', 'Late answer: paid', 'The next payment answers late, and turns out paid.'],
  ['unknown-then-failed', 'Late answer: failed', 'The next payment answers late, and turns out failed.'],
] as const

/** Everything that goes wrong with money over networks, at the press of a button: watch how the bot keeps its word. */
export function Misbehave(): VNode {
  const [open, setOpen] = useState(false)
  return html`<section class="misbehave" data-tour="misbehave">
    <button type="button" class="misbehave-head" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <${Icon} name="mask" size=${18} /><span>Misbehave</span><${Icon} name=${open ? 'up' : 'down'} size=${16} />
    </button>
    ${open && html`<${Switches} />`}
  </section>`
}

function Switches(): VNode {
  const { bot, service } = parts.value
  return html`<div class="misbehave-switches">
    <h4 class="eyebrow">Lightning node</h4>
    ${payments.map(
      ([next, label, done]) =>
        html`<button type="button" key=${next} onClick=${() => misbehave('/api/phone/misbehave', { next }, done)}>
          ${label}
        </button>`,
    )}
    <div class="pair">
      <button type="button" onClick=${() => misbehave('/api/phone/release', { outcome: 'settle' }, 'What hung is paid now.')}>
        Release: paid
      </button>
      <button type="button" onClick=${() => misbehave('/api/phone/release', { outcome: 'fail' }, 'What hung has failed now.')}>
        Release: failed
      </button>
    </div>
    <button
      type="button"
      onClick=${() => misbehave('/api/phone/lose-callbacks', { count: 1 }, 'The next callback will be lost on its way.')}
    >
      Lose the next callback
    </button>
    <h4 class="eyebrow">Programs</h4>
    <${Part} name="service" label="payments service" running=${service} />
    <${Part} name="bot" label="bot" running=${bot} />
  </div>`
}

function Part({ name, label, running }: { name: 'bot' | 'service'; label: string; running: boolean }): VNode {
  const action = running ? 'kill' : 'start'
  const done = running ? `The ${label} was killed.` : `The ${label} runs again.`
  return html`<button
    type="button"
    class=${running ? 'danger' : 'good'}
    onClick=${() => misbehave(`/api/parts/${name}/${action}`, {}, done)}
  >
    <${Icon} name="power" size=${15} />${running ? `Kill the ${label}` : `Start the ${label}`}
  </button>`
}
