import { signal } from '../html.ts'

interface Progress {
  /** The step that is shown, from 0; null while there is no tour. */
  readonly step: number | null
  readonly ended: boolean
  /** What was done before this moment counts for no step: it is of an earlier tour. */
  readonly since: number
}

const stored = localStorage.getItem('tour')

/** Where in the tour this browser is; a newcomer starts with it. */
export const progress = signal<Progress>({ step: 0, ended: false, since: Date.now(), ...JSON.parse(stored ?? '{}') })
// Kept at once: after a reload, what was done since the first look still counts.
if (stored === null) keep({})

function keep(next: Partial<Progress>): void {
  progress.value = { ...progress.value, ...next }
  localStorage.setItem('tour', JSON.stringify(progress.value))
}

export function startTour(): void {
  keep({ step: 0, ended: false, since: Date.now() })
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
