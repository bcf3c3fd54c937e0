import { html, type VNode } from '../html.ts'

/** Icons drawn for this page, 24 units square. Strokes take the colour of the text around them. */
const paths = {
  hash: 'M5 9h15M4 15h15M10 4 8 20M16 4l-2 16',
  people:
    'M8.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.3 3.3 0 0 1 0 6.3M17.5 14.3c2.5.6 4 2.8 4 5.7',
  phone:
    'M8 2.5h8A1.5 1.5 0 0 1 17.5 4v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5ZM10.5 18.5h3',
  bolt: 'M13.5 2.5 5 13.5h6L9.5 21.5 19 10h-6.5z',
  scan: 'M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8M16 4h2.5A1.5 1.5 0 0 1 20 5.5V8M20 16v2.5a1.5 1.5 0 0 1-1.5 1.5H16M8 20H5.5A1.5 1.5 0 0 1 4 18.5V16M7 12h10',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  up: 'm6 15 6-6 6 6',
  right: 'm9 6 6 6-6 6',
  left: 'm15 6-6 6 6 6',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.5 14.5c1.8 2.3 5.2 2.3 7 0M9 9.5h.01M15 9.5h.01',
  reply: 'M9.5 6 4 11.5 9.5 17M4 11.5h9c4 0 7 2.5 7 6.5',
  trash: 'M4.5 7h15M10 7V4.5h4V7M6.5 7l1 13h9l1-13',
  copy: 'M9 9h9.5A1.5 1.5 0 0 1 20 10.5V19a1.5 1.5 0 0 1-1.5 1.5H10A1.5 1.5 0 0 1 8.5 19v-8.5M15.5 6V5A1.5 1.5 0 0 0 14 3.5H5.5A1.5 1.5 0 0 0 4 5v8.5A1.5 1.5 0 0 0 5.5 15h.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z',
  send: 'M4 12 20 4l-5.5 16-3.5-6.5zM11 13.5 20 4',
  plus: 'M12 5v14M5 12h14',
  book: 'M5 4.5A1.5 1.5 0 0 1 6.5 3H19v15H6.5A1.5 1.5 0 0 0 5 19.5zM5 19.5A1.5 1.5 0 0 0 6.5 21H19',
  wire: 'M4 8h13l-3.5-3.5M20 16H7l3.5 3.5',
  hourglass:
    'M6.5 3h11M6.5 21h11M7.5 3v3.5c0 2.5 4.5 4 4.5 5.5s-4.5 3-4.5 5.5V21M16.5 3v3.5c0 2.5-4.5 4-4.5 5.5s4.5 3 4.5 5.5V21',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chat: 'M4 5.5h16v11H11l-5 4v-4H4z',
  file: 'M6 3h8l4.5 4.5V21H6zM14 3v5h4.5',
  compass: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM15.5 8.5l-2 5-5 2 2-5z',
  external: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9.5 9.5',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.3h.01',
  power: 'M12 3.5v8M7 6.5a7.5 7.5 0 1 0 10 0',
  mask: 'M4 6.5c5-2 11-2 16 0 0 7-3 11-8 12-5-1-8-5-8-12ZM8 10.5c1 .8 2 .8 3 0M13 10.5c1 .8 2 .8 3 0',
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  arrowUp: 'M12 19V5M6 11l6-6 6 6',
} as const

export type IconName = keyof typeof paths

/** Draws a decoration. The text beside it has the same meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): VNode {
  return html`<svg class="icon" viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true" focusable="false">
    <path d=${paths[name]} />
  </svg>`
}

/** Draws the logo, a satchel with a bolt. */
export function Satchel({ size = 24 }: { size?: number }): VNode {
  return html`<svg viewBox="0 0 32 32" width=${size} height=${size} aria-hidden="true" focusable="false">
    <path d="M9.5 11.5c0-7.7 13-7.7 13 0" fill="none" stroke="currentColor" stroke-width="2.4" />
    <rect x="3" y="10" width="26" height="18" rx="5" fill="currentColor" />
    <path d="M3.5 15c3 5.5 22 5.5 25 0" class="satchel-flap" />
    <path d="M17.4 13.6 12.6 20h3l-1 5 4.8-6.4h-3z" class="satchel-bolt" />
  </svg>`
}
