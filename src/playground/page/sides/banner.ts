import { html, type VNode } from '../html.ts'
import { api } from '../state/api.ts'
import { tell } from '../state/interactions.ts'
import { connection, holdsSats, parts } from '../state/session.ts'
import { Icon } from './icons.ts'

/** Draws a banner for each fault: the playground does not answer, or the bot or the service is stopped. */
export function Banner(): VNode {
  const { bot, service } = parts.value
  return html`<div class="banners" role="status" aria-live="polite">
    ${
      connection.value === 'lost' &&
      html`<p class="banner lost"><span class="spinner" aria-hidden="true"></span>
        The playground does not answer. This page reconnects and catches up by itself.</p>`
    }
    ${connection.value !== 'lost' && !bot && html`<${PartDown} part="bot" text="The bot is stopped. Commands and buttons get no answer." />`}
    ${
      connection.value !== 'lost' &&
      !service &&
      holdsSats.value &&
      html`<${PartDown} part="service" text="The payments service is stopped. The bot has to keep its word without it." />`
    }
  </div>`
}

function PartDown({ part, text }: { part: 'bot' | 'service'; text: string }): VNode {
  return html`<p class="banner">
    <${Icon} name="warning" size=${18} /><span>${text}</span>
    <button type="button" class="link-button" onClick=${() => tell(api.part(part, 'start'))}>Start it again</button>
  </p>`
}
