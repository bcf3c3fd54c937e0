import { html, useEffect, useState, type VNode } from '../html.ts'
import { isNarrow } from '../state/frame.ts'
import { me, people } from '../state/session.ts'
import { switchTo } from '../state/live.ts'
import { tell } from '../state/interactions.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { endTour, goToStep, progress } from './progress.ts'
import { Spotlight } from './spotlight.ts'
import { type Step, steps } from './steps.ts'

/** Eight small steps, each done by the person; a newcomer's browser starts with them, and remembers. */
export function Tour(): VNode | null {
  const at = progress.value.step
  const step = at === null ? undefined : steps[at]
  const done = step?.done() === true
  const [farewell, setFarewell] = useState(false)
  useEffect(() => {
    if (!done || at === null) return
    const timer = setTimeout(() => {
      if (at + 1 < steps.length) goToStep(at + 1)
      else {
        setFarewell(true)
        endTour()
      }
    }, 700)
    return () => clearTimeout(timer)
  }, [done, at])
  if (farewell) return html`<${Farewell} onClose=${() => setFarewell(false)} />`
  if (step === undefined || at === null) return null
  return html`<${OneStep} step=${step} at=${at} done=${done} />`
}

function OneStep({ step, at, done }: { step: Step; at: number; done: boolean }): VNode {
  const alice = people.value.find(({ username }) => username === 'alice')
  const astray = at === 0 && alice !== undefined && me.value?.id !== alice.id
  return html`
    ${!isNarrow.value && html`<${Spotlight} points=${step.points} />`}
    <aside class=${`tour ${done ? 'done' : ''}`} aria-label="Guided tour">
      <header>
        <span class="satchel-mark small"><${Satchel} size=${18} /></span>
        <span class="eyebrow">Step ${at + 1} of ${steps.length}</span>
        <button type="button" class="link-button" onClick=${endTour}>Skip the tour</button>
      </header>
      <div role="status" aria-live="polite">
        <h3>${step.title}${done && html`<${Icon} name="check" size=${20} />`}</h3>
        <p>${step.words()}</p>
      </div>
      ${
        astray &&
        html`<button type="button" class="button secondary" onClick=${() => tell(switchTo(alice.id))}>Become Alice</button>`
      }
      <footer>
        <span class="beads" aria-hidden="true">${steps.map((_, bead) => html`<i class=${bead < at || (bead === at && done) ? 'past' : bead === at ? 'now' : ''}></i>`)}</span>
        ${at > 0 && html`<button type="button" class="link-button" onClick=${() => goToStep(at - 1)}>Back</button>`}
        ${at + 1 < steps.length && html`<button type="button" class="link-button" onClick=${() => goToStep(at + 1)}>Next</button>`}
      </footer>
    </aside>
  `
}

function Farewell({ onClose }: { onClose: () => void }): VNode {
  return html`<aside class="tour done" aria-label="Guided tour">
    <header>
      <span class="satchel-mark small"><${Satchel} size=${18} /></span><span class="eyebrow">The tour is over</span>
    </header>
    <div role="status" aria-live="polite">
      <h3>That was a Lightning tip</h3>
      <p>Now break it: <b>Misbehave</b> on the phone lets payments hang and programs die. The books have to hold all the same.</p>
    </div>
    <button type="button" class="button primary" onClick=${onClose}>Look around</button>
  </aside>`
}
