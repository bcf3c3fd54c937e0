import { html, useRef, useState, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { useAway } from '../sides/use-away.ts'
import { misbehave, release } from '../state/phone.ts'
import { parts } from '../state/session.ts'

const payments = [
  ['fail', 'Next payment fails', 'The next payment that leaves the service will fail.'],
  ['hang', 'Next payment hangs', 'The next payment hangs until you let it go.'],
  ['unknown-then-paid', 'Late answer: paid', 'The next payment answers late, and turns out paid.'],
  ['unknown-then-failed', 'Late answer: failed', 'The next payment answers late, and turns out failed.'],
] as const

/**
 * Draws buttons for what can go wrong when money moves through networks, so that people can watch how the bot handles
 * it.
 */
export function Misbehave(): VNode {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLElement>(null)
  useAway(root, open, () => setOpen(false))
  return html`<section class="misbehave" ref=${root} data-tour="misbehave">
    <button type="button" class="misbehave-head" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <${Icon} name="mask" size=${18} /><span>Misbehave</span><${Icon} name=${open ? 'down' : 'up'} size=${16} />
    </button>
    ${open && html`<${Switches} />`}
  </section>`
}

function Switches(): VNode {
  const { bot, service } = parts.value
  return html`<div class="misbehave-switches">
    <h3 class="eyebrow">The Lightning node</h3>
    ${payments.map(
      ([next, label, done]) =>
        html`<button type="button" key=${next} onClick=${() => misbehave('/api/phone/misbehave', { next }, done)}>
          ${label}
        </button>`,
    )}
    <h3 class="eyebrow">What hangs</h3>
    <div class="pair">
      <button type="button" onClick=${() => release('settle')}>Let it pay</button>
      <button type="button" onClick=${() => release('fail')}>Let it fail</button>
    </div>
    <h3 class="eyebrow">The wire and the programs</h3>
    <button
      type="button"
      onClick=${() => misbehave('/api/phone/lose-callbacks', { count: 1 }, 'The next callback will be lost on its way.')}
    >
      Lose the next callback
    </button>
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
