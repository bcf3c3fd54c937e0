import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { api } from '../state/api.ts'
import { tell } from '../state/interactions.ts'
import { me, personById } from '../state/session.ts'

export function Reactions({ message }: { message: MessageView }): VNode | null {
  if (message.reactions.length === 0) return null
  return html`<div class="reactions">
    ${message.reactions.map(({ emoji, personIds }) => {
      const mine = personIds.includes(me.value?.id ?? '')
      const names = personIds.map((id) => personById(id)?.name ?? 'somebody').join(', ')
      const shown = emoji.includes(':') ? `:${emoji.split(':')[0]}:` : emoji
      return html`<button
        key=${emoji}
        type="button"
        class="reaction"
        aria-pressed=${mine}
        aria-label=${`${shown}, ${personIds.length}: ${names}`}
        title=${names}
        onClick=${() => tell(api.react(message.channelId, message.id, emoji, !mine))}
      >
        <span>${shown}</span><b>${personIds.length}</b>
      </button>`
    })}
  </div>`
}
