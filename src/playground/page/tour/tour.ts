import { type ComponentChildren, html, useEffect, useState, type VNode } from '../html.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { isNarrow, narrowScreen } from '../state/frame.ts'
import { tell } from '../state/interactions.ts'
import { switchTo } from '../state/live.ts'
import { me, people, server, visit } from '../state/session.ts'
import { endTour, goBackTo, goToStep, progress } from './progress.ts'
import { Spotlight } from './spotlight.ts'
import { openBobsWallet, type Step, steps } from './steps.ts'

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
    <${Spotlight} points=${pointsFor(step)} />
    <${Strip} done=${done} eyebrow=${`Step ${at + 1} of ${steps.length}`} title=${step.title} words=${step.words()}>
      <span class="beads" aria-hidden="true">${steps.map((_, bead) => html`<i class=${beadClass(bead, at, done)}></i>`)}</span>
      ${step.look !== undefined && !isNarrow.value && html`<button type="button" class="button" onClick=${step.look.run}>${step.look.label()}</button>`}
      ${astray && html`<button type="button" class="button primary" onClick=${() => tell(switchTo(alice.id))}>Become Alice</button>`}
      ${at > 0 && html`<button type="button" class="link-button" onClick=${() => goBackTo(at - 1)}>Back</button>`}
      ${at + 1 < steps.length && html`<button type="button" class="link-button" onClick=${() => goToStep(at + 1)}>Next</button>`}
      <button type="button" class="link-button quiet" onClick=${endTour}>Skip the tour</button>
    <//>
  `
}

/** Where one thing is shown at a time, and it is another one, the way there is pointed out. */
function pointsFor(step: Step): string {
  const screen = step.screen()
  return isNarrow.value && narrowScreen.value !== screen ? `[data-shows=${screen}]` : step.points()
}

function beadClass(bead: number, at: number, done: boolean): string {
  if (bead < at || (bead === at && done)) return 'past'
  return bead === at ? 'now' : ''
}

function Farewell({ onClose }: { onClose: () => void }): VNode {
  const where = isNarrow.value ? html`in the <b>Wallet</b>, <b>Misbehave</b>` : html`<b>Misbehave</b> on the phone`
  const words = html`Three things to try next. Break it: ${where} lets payments hang and programs die, and the books hold all the same.
    See where Bob’s sats went. Or start a <kbd>/giveaway</kbd> whose draw everybody can verify.`
  const giveaways = server.value?.channels.find(({ name }) => name === 'giveaways')
  return html`<${Strip} done=${true} eyebrow="The tour is over" title="That was Lightning" words=${words}>
    <button type="button" class="button" onClick=${openBobsWallet}>Open Bob’s wallet</button>
    ${
      giveaways !== undefined &&
      html`<button
        type="button"
        class="button"
        onClick=${() => {
          visit(giveaways.id)
          onClose()
        }}
      >
        Go to #giveaways
      </button>`
    }
    <button type="button" class="button primary" onClick=${onClose}>Look around</button>
  <//>`
}

interface StripProps {
  done: boolean
  eyebrow: string
  title: string
  words: VNode
  children?: ComponentChildren
}

/** The tour stands above everything and covers nothing. */
function Strip({ done, eyebrow, title, words, children }: StripProps): VNode {
  return html`<aside class=${`tour ${done ? 'done' : ''}`} aria-label="Guided tour">
    <span class="satchel-mark small"><${Satchel} size=${18} /></span>
    <div class="tour-words" role="status" aria-live="polite">
      <h2><span class="eyebrow">${eyebrow}</span>${title}${done && html`<${Icon} name="check" size=${18} />`}</h2>
      <p>${words}</p>
    </div>
    <div class="tour-steps">${children}</div>
  </aside>`
}
