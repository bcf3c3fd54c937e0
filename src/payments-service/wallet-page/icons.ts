import { type Html, html } from '../../lib/web/html.ts'

/**
 * Small drawings, 24 units square, in the colour of the surrounding text. They are decoration: text beside them says
 * the same.
 */
const PATHS = {
  wallet:
    'M4 8.5h14.5a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18V6.5A1.5 1.5 0 0 1 5.5 5H17M15.5 14h.01',
  receive: 'M12 4v12m0 0 5-5m-5 5-5-5M5 20h14',
  send: 'M12 20V8m0 0 5 5m-5-5-5 5M5 4h14',
  voucher:
    'M4 8a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v2.500a1.5 1.5 0 0 0 0 3V16a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-2.500a1.5 1.5 0 0 0 0-3zM14 8v1.500m0 2v1m0 2V16',
  history: 'M12 7.500V12l3 2M4.5 12a7.5 7.5 0 1 0 2.3-5.400L4.5 8.700m0-4v4h4',
  settings:
    'M5 7h9m4 0h1M5 17h1m4 0h9M16 9.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400zM8 19.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z',
  done: 'M5 12.5 10 17.5 19.5 7.5',
  waiting: 'M12 7.500V12l3 2M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z',
  language: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM4 12h16M12 4c-5 5-5 11 0 16M12 4c5 5 5 11 0 16',
  failed: 'M7 7l10 10M17 7 7 17',
} as const

export type IconName = keyof typeof PATHS

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`
}

/** Draws the logo, a satchel with a spark as its clasp. */
export function logo(): Html {
  return html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><path class="strap" d="M9.5 11.500C9.5 3.8 22.5 3.8 22.5 11.5"/><rect class="bag" x="3" y="10" width="26" height="18" rx="5"/><path class="flap" d="M3.5 15c3 5.5 22 5.5 25 0"/><path class="spark" d="M17.4 13.6 12.6 20h3l-1 5 4.8-6.400h-3z"/></svg>`
}
