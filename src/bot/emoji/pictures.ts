import { html } from '../../lib/web/html.ts'

const ORANGE = '#f7931a'
const GREEN = '#3ba55d'
const AMBER = '#f0b232'
const GREY = '#80848e'

/**
 * Draws a white line on a coloured disc. Discord shows emoji at 22 pixels in a text, so each one consists only of a
 * shape and a colour, both visible on dark and on light backgrounds.
 */
const disc = (colour: string, path: string) =>
  html`<circle cx="64" cy="64" r="58" fill="${colour}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/>`

/**
 * The application's own emoji, each under the standard emoji that it replaces in our texts. Places that cannot show our
 * emoji show the standard emoji, so nothing is lost.
 */
export const OWN_EMOJI = {
  '⚡': {
    name: 'satchel_bolt',
    drawn: html`<path d="M74 6 22 74h34l-8 48 58-72H68z" fill="${ORANGE}" stroke="#fff" stroke-width="7" stroke-linejoin="round"/>`,
  },
  '🪙': {
    name: 'satchel_sat',
    drawn: html`<circle cx="64" cy="64" r="58" fill="${ORANGE}"/><path d="M36 46h56M36 64h56M36 82h56M64 22v12M64 94v12" stroke="#fff" stroke-width="11" stroke-linecap="round"/>`,
  },
  '✅': { name: 'satchel_paid', drawn: disc(GREEN, 'M38 66 57 85 92 46') },
  '🟠': { name: 'satchel_sending', drawn: disc(AMBER, 'M36 64h54M70 42l22 22-22 22') },
  '👜': {
    name: 'satchel_balance',
    drawn: html`<path d="M40 44c0-36 48-36 48 0" fill="none" stroke="${GREEN}" stroke-width="11"/><rect x="12" y="40" width="104" height="76" rx="20" fill="${GREEN}"/><path d="M14 60c12 24 88 24 100 0" fill="none" stroke="#fff" stroke-width="8"/>`,
  },
  '🎁': { name: 'satchel_waiting', drawn: disc(ORANGE, 'M64 34v32l20 14') },
  '↩️': { name: 'satchel_returned', drawn: disc(GREY, 'M58 40 36 62l22 22M36 62h40c22 0 22 30 0 30') },
} as const

export type Sign = keyof typeof OWN_EMOJI

const PIXELS = 128

/** Returns an emoji's picture, a PNG of 128 by 128 pixels, as a data URL. Discord accepts up to 256 KiB. */
export async function emojiImage(sign: Sign): Promise<string> {
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">${OWN_EMOJI[sign].drawn}</svg>`
  const { renderAsync } = await import('@resvg/resvg-js')
  const drawn = await renderAsync(svg.text, {
    font: { loadSystemFonts: false },
    fitTo: { mode: 'width', value: PIXELS },
  })
  return `data:image/png;base64,${drawn.asPng().toString('base64')}`
}
