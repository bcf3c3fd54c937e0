import { html, type VNode } from '../html.ts'
import { isNarrow, narrowScreen } from '../state/frame.ts'
import { holdsSats } from '../state/session.ts'
import { Icon, type IconName } from './icons.ts'

const screens: readonly (readonly [typeof narrowScreen.value, string, IconName])[] = [
  ['places', 'Channels', 'menu'],
  ['chat', 'Chat', 'chat'],
  ['phone', 'Wallet', 'phone'],
  ['books', 'Books', 'book'],
]

/** Draws the bar in which a person chooses what a narrow window shows, because it shows only one thing at a time. */
export function NarrowBar(): VNode | null {
  if (!isNarrow.value) return null
  return html`<nav class="narrow-bar" aria-label="What to show">
    ${screens
      .filter(([screen]) => holdsSats.value || screen !== 'phone')
      .map(
        ([screen, label, icon]) => html`<button
        key=${screen}
        type="button"
        data-shows=${screen}
        aria-current=${narrowScreen.value === screen ? 'page' : null}
        onClick=${() => {
          narrowScreen.value = screen
        }}
      >
        <${Icon} name=${icon} size=${22} /><span>${label}</span>
      </button>`,
      )}
  </nav>`
}
