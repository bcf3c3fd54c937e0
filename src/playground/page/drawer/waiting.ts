import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { waiting } from '../state/books.ts'
import { now } from '../state/session.ts'
import { fullTime, since } from '../text/format.ts'

/** Draws unfinished work: open deposits, payments with an unknown outcome, and unclaimed tips. */
export function Waiting(): VNode {
  if (waiting.value.length === 0) {
    return html`<div class="drawer-empty"><${Icon} name="check" size=${22} /><p>The bot waits for nothing: everything that began has ended.</p></div>`
  }
  return html`<ul class="waiting-list">
    ${waiting.value.map(
      (each) => html`<li key=${`${each.what} ${each.since} ${each.detail}`}>
        <${Icon} name="hourglass" size=${18} />
        <span><b>${each.what}</b><span>${each.detail}</span></span>
        <time title=${fullTime(each.since)}>${since(each.since, now.value)}</time>
      </li>`,
    )}
  </ul>`
}
