import { signal } from '../html.ts'

/** The tours by name; a newcomer's browser begins with the first. */
export type ChapterName = 'first-sats' | 'own-wallets' | 'rewards'

interface Progress {
  readonly chapter: ChapterName
  /** The step that is shown, counted from 0; null if no tour is shown. */
  readonly step: number | null
  readonly ended: boolean
  /** When the tour began. Earlier events count for no step, because they belong to an earlier tour. */
  readonly since: number
}

const stored = localStorage.getItem('tour')
const atFirst: Progress = { chapter: 'first-sats', step: 0, ended: false, since: Date.now() }

/** This browser's tour and step. A newcomer starts with the first tour. */
export const progress = signal<Progress>({ ...atFirst, ...JSON.parse(stored ?? '{}') })
/** The tour that was just completed, if any, while the page offers the tours; null at other times. */
export const choosing = signal<{ readonly completed: ChapterName | null } | null>(null)
// Stored immediately, so that after a reload, actions since the first visit still count.
if (stored === null) keep({})

function keep(next: Partial<Progress>): void {
  progress.value = { ...progress.value, ...next }
  localStorage.setItem('tour', JSON.stringify(progress.value))
}

/** Offers the tours in place of the current one. */
export function chooseTour(): void {
  endTour()
  choosing.value = { completed: null }
}

export function startTour(chapter: ChapterName): void {
  choosing.value = null
  keep({ chapter, step: 0, ended: false, since: Date.now() })
}

/** Goes to a step. What the person has already done for it counts. */
export function goToStep(step: number): void {
  keep({ step, ended: false })
}

/** Goes back to a step, which the person then has to repeat. */
export function goBackTo(step: number): void {
  keep({ step, ended: false, since: Date.now() })
}

export function endTour(): void {
  keep({ step: null, ended: true })
}

/** Completes a tour after its last step, and offers the others. */
export function completeTour(): void {
  choosing.value = { completed: progress.value.chapter }
  endTour()
}

export function closeChoice(): void {
  choosing.value = null
}
