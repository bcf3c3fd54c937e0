/** Formats msats as `10,000`, with a fraction only if there is one. */
export function satsOf(msats: string | bigint): string {
  const amount = BigInt(msats)
  const sign = amount < 0n ? '−' : ''
  const absolute = amount < 0n ? -amount : amount
  const whole = (absolute / 1_000n).toLocaleString('en')
  const rest = absolute % 1_000n
  return sign + (rest === 0n ? whole : `${whole}.${rest.toString().padStart(3, '0').replace(/0+$/, '')}`)
}

/** Formats msats as `1 sat` or `10,000 sats`. */
export function satsWords(msats: string | bigint): string {
  const amount = satsOf(msats)
  return `${amount} ${amount === '1' ? 'sat' : 'sats'}`
}

/** The formats of one language's times. */
interface Times {
  readonly clock: Intl.DateTimeFormat
  readonly day: Intl.DateTimeFormat
  readonly full: Intl.DateTimeFormat
  readonly short: Intl.DateTimeFormat
  readonly relative: Intl.RelativeTimeFormat
  /** The formats by the style of Discord's timestamps. */
  readonly styles: Readonly<Record<string, Intl.DateTimeFormat>>
}

const made = new Map<string, Times>()

/** Returns the formats of a language, in the reader's variant of it if the browser lists a variant, such as `en-GB`. */
function timesIn(language: string): Times {
  const known = made.get(language)
  if (known !== undefined) return known
  const [base = ''] = language.split('-')
  const locale = navigator.languages.find((each) => each.split('-')[0] === base) ?? language
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
  const short = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
  const times = {
    ...{ day, full, short },
    clock: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    styles: {
      t: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
      T: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }),
      ...{ d: short, D: day, F: full },
      f: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }),
    },
  }
  made.set(language, times)
  return times
}

/** The language of the page, and therefore of its own times. Times in messages are in the person's language. */
const PAGE_LANGUAGE = 'en'
const { clock, day, short } = timesIn(PAGE_LANGUAGE)

export const clockTime = (iso: string): string => clock.format(new Date(iso))
export const dayOf = (iso: string): string => day.format(new Date(iso))
export const fullTime = (iso: string, language = PAGE_LANGUAGE): string => timesIn(language).full.format(new Date(iso))

/** Formats the time beside a message: "Today at 14:02", "Yesterday at 9:15", or a date. */
export function messageTime(iso: string, nowMs: number): string {
  const then = new Date(iso)
  const days = Math.round((midnight(nowMs) - midnight(then.getTime())) / 86_400_000)
  if (days === 0) return `Today at ${clock.format(then)}`
  if (days === 1) return `Yesterday at ${clock.format(then)}`
  return `${short.format(then)} ${clock.format(then)}`
}

/** Formats `<t:seconds:style>` in a language, as Discord does. The style `R` is relative. */
export function timestamp(seconds: number, style: string, nowMs: number, language: string): string {
  const date = new Date(seconds * 1_000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  if (style === 'R') return ago(date.getTime(), nowMs, language)
  const { styles, full } = timesIn(language)
  return (styles[style] ?? styles.f ?? full).format(date)
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats a relative time: "in 5 minutes", "2 days ago". */
export function ago(thenMs: number, nowMs: number, language = PAGE_LANGUAGE): string {
  const { relative } = timesIn(language)
  const seconds = Math.round((thenMs - nowMs) / 1_000)
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  }
  return relative.format(seconds, 'second')
}

/** Formats the time since an event. An event of this moment never seems to be in the future. */
export function since(iso: string, nowMs: number): string {
  return ago(Math.min(Date.parse(iso), nowMs), nowMs)
}

/** Formats a file's size: `1.2 KB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function midnight(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}
