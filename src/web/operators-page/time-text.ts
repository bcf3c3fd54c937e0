import { type Html, html } from '../../lib/web/html.ts'

const MOMENT = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
  hour12: false,
})

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** "Nov 22, 2026, 10:45 UTC", with the exact time for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${momentText(at)}</time>`
}

/** "Nov 22, 2026, 10:45 UTC": the same, inside a sentence. */
export function momentText(at: Date): string {
  return `${MOMENT.format(at)} UTC`
}

/** "3 minutes": the time from one moment to another, in its largest unit. Both in milliseconds. */
export function ago(then: number, now: number): string {
  const ms = Math.max(now - then, 0)
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['second', 1_000]
  const count = Math.floor(ms / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
