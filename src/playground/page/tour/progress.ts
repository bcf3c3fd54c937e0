import { signal } from '../html.ts'

interface Progress {
  /** The step that is shown, from 0; null while there is no tour. */
  readonly step: number | null
  readonly ended: boolean
}

const kept = localStorage.getItem('tour')

/** Where in the tour this browser is; a newcomer starts with it. */
export const progress = signal<Progress>(kept === null ? { step: 0, ended: false } : (JSON.parse(kept) as Progress))

function keep(next: Progress): void {
  progress.value = next
  localStorage.setItem('tour', JSON.stringify(next))
}

export function startTour(): void {
  keep({ step: 0, ended: false })
}

export function goToStep(step: number): void {
  keep({ step, ended: false })
}

export function endTour(): void {
  keep({ step: null, ended: true })
}
