import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { toast } from '../state/interactions.ts'

/** Draws a short message at the foot of the page, which disappears on its own. */
export function Toast(): VNode {
  const said = toast.value
  return html`<div class="toasts" role="status" aria-live="polite">
    ${
      said !== null &&
      html`<p class=${`toast ${said.kind}`}>
        <${Icon} name=${said.kind === 'failed' ? 'warning' : 'check'} size=${18} />${said.text}
      </p>`
    }
  </div>`
}
