import { html, type VNode } from '../html.ts'
import { isNarrow, narrowScreen, showsMembers, showsPhone, toggleMembers, togglePhone } from '../state/frame.ts'
import { channel, holdsSats, server } from '../state/session.ts'
import { iconOf } from './channels.ts'
import { Icon } from './icons.ts'

/** Draws the channel's name, and the buttons that show or hide what is beside the conversation. */
export function ChannelHeader(): VNode {
  const here = channel.value
  return html`<header class="channel-header">
    ${
      isNarrow.value &&
      html`<button type="button" class="round" aria-label="Servers and channels" onClick=${openPlaces}>
        <${Icon} name="menu" />
      </button>`
    }
    <h2><${Icon} name=${here === null ? 'hash' : iconOf(here)} size=${22} />${here?.name ?? ''}</h2>
    <p class="topic">${here?.archived ? (here.locked ? 'This thread is locked.' : 'This thread is asleep. A message wakes it.') : (here?.topic ?? '')}</p>
    ${
      server.value !== null &&
      html`<button
        type="button"
        class="round"
        aria-label="Members"
        title="Members"
        aria-pressed=${showsMembers.value}
        onClick=${toggleMembers}
      >
        <${Icon} name="people" size=${22} />
      </button>`
    }
    ${
      !isNarrow.value &&
      holdsSats.value &&
      html`<button
        type="button"
        class="round"
        aria-label="Phone"
        title="The phone: an outside Lightning wallet"
        aria-pressed=${showsPhone.value}
        onClick=${togglePhone}
      >
        <${Icon} name="phone" size=${22} />
      </button>`
    }
  </header>`
}

function openPlaces(): void {
  narrowScreen.value = narrowScreen.value === 'places' ? 'chat' : 'places'
}
