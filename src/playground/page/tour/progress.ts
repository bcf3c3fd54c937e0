import { signal } from '../html.ts'

/** The tours by name; a newcomer's browser begins with the first. */
export type ChapterName = 'first-sats' | 'own-wallets' | 'rewards'

interface Progress {
  readonly chapter: ChapterName
  /** The shown step, from 0; null without a tour. */
  readonly step: number | null
  readonly ended: boolean
  /** Earlier events count for no step: they are of an earlier tour. */
  readonly since: number
}

const stored = localStorage.getItem('tour')
const atFirst: Progress = { chapter: 'first-sats', step: 0, ended: false, since: Date.now() }

/** Where in which tour this browser is; a newcomer starts with the first. */
export const progress = signal<Progress>({ ...atFirst, ...JSON.parse(stored ?? '{}') })
/** Whether the tours are offered to choose from, and the one that has just been completed. */
export const choosing = signal<{ readonly completed: ChapterName | null } | null>(null)
// Kept at once: after a reload, what was done since the first look still counts.
if (stored === null) keep({})

function keep(next: Partial<Progress>): void {
  progress.value = { ...progress.value, ...next }
  localStorage.setItem('tour', JSON.stringify(progress.value))
}

/** Offers the tours, in place of the one that is on. */
export function chooseTour(): void {
  endTour()
  choosing.value = { completed: null }
}

export function startTour(chapter: ChapterName): void {
  choosing.value = null
  keep({ chapter, step: 0, ended: false, since: Date.now() })
}

/** On to a step; what was done in advance counts. */
export function goToStep(step: number): void {
  keep({ step, ended: false })
}

/** Back to a step, to do it again. */
export function goBackTo(step: number): void {
  keep({ step, ended: false, since: Date.now() })
}

export function endTour(): void {
  keep({ step: null, ended: true })
}

/** The last step of a tour is done: the others are offered. */
export function completeTour(): void {
  choosing.value = { completed: progress.value.chapter }
  endTour()
}

export function closeChoice(): void {
  choosing.value = null
}
