import { type ComponentChildren, html, useEffect, type VNode } from '../html.ts'
import { Icon, Satchel } from '../sides/icons.ts'
import { watchBooks } from '../state/books.ts'
import { isNarrow, narrowScreen } from '../state/frame.ts'
import { tell } from '../state/interactions.ts'
import { switchTo } from '../state/live.ts'
import { holdsSats, me } from '../state/session.ts'
import { firstSats } from './first-sats.ts'
import { ownWalletsTour } from './own-wallets.ts'
import {
  type ChapterName,
  choosing,
  closeChoice,
  completeTour,
  endTour,
  goBackTo,
  goToStep,
  progress,
  startTour,
} from './progress.ts'
import { rewardsTour } from './rewards.ts'
import { Spotlight } from './spotlight.ts'
import { type Aid, type Chapter, personCalled, type Step } from './step.ts'

const chapters: Readonly<Record<ChapterName, Chapter>> = {
  'first-sats': firstSats,
  'own-wallets': ownWalletsTour,
  rewards: rewardsTour,
}

/** Lists the offered tours. Without custody, only the tour of own wallets can run. */
function offered(): readonly ChapterName[] {
  return holdsSats.value ? (Object.keys(chapters) as ChapterName[]) : ['own-wallets']
}

/**
 * Draws the guided tours, which consist of small steps that the person does. A newcomer's browser starts with the first
 * tour and stores the progress.
 */
export function Tour(): VNode | null {
  const { chapter: wanted, step: at } = progress.value
  const chapter = offered().includes(wanted) ? wanted : 'own-wallets'
  const { steps } = chapters[chapter]
  const step = at === null ? undefined : steps[at]
  const done = step?.done() === true
  useEffect(() => {
    if (!done || at === null) return
    const timer = setTimeout(() => {
      if (at + 1 < steps.length) goToStep(at + 1)
      else completeTour()
    }, 700)
    return () => clearTimeout(timer)
  }, [done, at, chapter])
  if (choosing.value !== null) return html`<${Choice} completed=${choosing.value.completed} />`
  if (step === undefined || at === null) return null
  return html`<${OneStep} step=${step} at=${at} of=${steps.length} done=${done} />`
}

function OneStep({ step, at, of: count, done }: { step: Step; at: number; of: number; done: boolean }): VNode {
  useEffect(() => (step.elsewhere === true ? watchBooks() : undefined), [step.elsewhere])
  const wanted = step.as === undefined ? undefined : personCalled(step.as)
  const astray = wanted !== undefined && me.value?.id !== wanted.id && !done
  return html`
    <${Spotlight} points=${pointsFor(step)} />
    <${Strip} done=${done} eyebrow=${`Step ${at + 1} of ${count}`} title=${step.title} words=${step.words()}>
      <span class="beads" aria-hidden="true">${Array.from({ length: count }, (_, bead) => html`<i class=${beadClass(bead, at, done)}></i>`)}</span>
      ${
        astray
          ? html`<button type="button" class="button primary" onClick=${() => tell(switchTo(wanted.id))}>Become ${wanted.name}</button>`
          : html`<${AidButton} aid=${step.aid} />`
      }
      ${at > 0 && html`<button type="button" class="link-button" onClick=${() => goBackTo(at - 1)}>Back</button>`}
      ${at + 1 < count && html`<button type="button" class="link-button" onClick=${() => goToStep(at + 1)}>Next</button>`}
      <button type="button" class="link-button quiet" onClick=${endTour}>${isNarrow.value ? 'Skip' : 'Skip the tour'}</button>
    <//>
  `
}

function AidButton({ aid }: { aid: Aid | undefined }): VNode | null {
  if (aid === undefined || (aid.aside === true && isNarrow.value)) return null
  const look = aid.aside === true ? 'button' : 'button primary'
  return html`<button type="button" class=${look} onClick=${aid.run}>${aid.label()}</button>`
}

/**
 * Returns the target of the spotlight. If a narrow window shows another screen, the target is the button for the right
 * screen.
 */
function pointsFor(step: Step): string {
  const screen = step.screen()
  return isNarrow.value && narrowScreen.value !== screen ? `[data-shows=${screen}]` : step.points()
}

function beadClass(bead: number, at: number, done: boolean): string {
  if (bead < at || (bead === at && done)) return 'past'
  return bead === at ? 'now' : ''
}

/** Draws the tours to choose from, with the farewell of the tour that was just completed, if any. */
function Choice({ completed }: { completed: ChapterName | null }): VNode {
  const farewell = completed === null ? undefined : chapters[completed].farewell
  const eyebrow = farewell === undefined ? 'Guided tours' : 'The tour is over'
  const title = farewell?.title ?? 'Choose a tour'
  const words = farewell?.words() ?? html`Each takes a few minutes. You do every step yourself.`
  return html`<${Strip} done=${farewell !== undefined} eyebrow=${eyebrow} title=${title} words=${words}>
    ${farewell?.aid !== undefined && html`<button type="button" class="button" onClick=${farewell.aid.run}>${farewell.aid.label()}</button>`}
    ${offered()
      .filter((name) => name !== completed)
      .map(
        (name) =>
          html`<button key=${name} type="button" class="button" onClick=${() => startTour(name)}>${chapters[name].title}</button>`,
      )}
    <button type="button" class="link-button quiet" onClick=${closeChoice}>Look around</button>
  <//>`
}

interface StripProps {
  done: boolean
  eyebrow: string
  title: string
  words: VNode
  children?: ComponentChildren
}

/** Draws the strip of the tour above the rest of the page, where it covers nothing. */
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
