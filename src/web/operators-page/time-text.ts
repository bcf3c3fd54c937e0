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

/** Formats a time for a page, such as "Nov 22, 2026, 10:45 UTC", with the exact time for programs. */
export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${momentText(at)}</time>`
}

/** Formats a time for use in a sentence, such as "Nov 22, 2026, 10:45 UTC". */
export function momentText(at: Date): string {
  return `${MOMENT.format(at)} UTC`
}

/** Formats the time between two moments in its largest unit, such as "3 minutes". Both moments are in milliseconds. */
export function ago(then: number, now: number): string {
  const ms = Math.max(now - then, 0)
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['second', 1_000]
  const count = Math.floor(ms / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
