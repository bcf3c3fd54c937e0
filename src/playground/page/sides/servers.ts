import type { ServerView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { api } from '../state/api.ts'
import { isUnread } from '../state/conversations.ts'
import { theme, toggleTheme } from '../state/frame.ts'
import { tell } from '../state/interactions.ts'
import { place, refreshView, view, visit } from '../state/session.ts'
import { chooseTour } from '../tour/progress.ts'
import { Icon, Satchel } from './icons.ts'

/** Draws the bar on the left: direct conversations, servers, and the page's own buttons. */
export function Servers(): VNode {
  const all = view.value
  const inDms = place.value.server === null
  return html`<nav class="servers" aria-label="Servers">
    <${ServerItem}
      name="Direct messages"
      here=${inDms}
      unread=${all?.conversations.some(isUnread) === true}
      onGo=${openDms}
      picture=${html`<span class="satchel-mark"><${Satchel} size=${26} /></span>`}
    />
    <hr />
    ${all?.servers.map(
      (server) => html`<${ServerItem}
        key=${server.id}
        name=${server.name}
        here=${place.value.server === server.id}
        unread=${server.channels.some(isUnread)}
        onGo=${() => goTo(server)}
        picture=${html`<span class="initials" data-initials=${initials(server.name)}></span>`}
      />`,
    )}
    <div class="servers-foot">
      <button type="button" class="round" aria-label="Guided tours" title="Guided tours" onClick=${chooseTour}>
        <${Icon} name="compass" />
      </button>
      <button
        type="button"
        class="round"
        aria-label=${theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        title=${theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick=${toggleTheme}
      >
        <${Icon} name=${theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
    </div>
  </nav>`
}

interface ServerItemProps {
  name: string
  here: boolean
  unread: boolean
  onGo: () => void
  picture: VNode
}

function ServerItem({ name, here, unread, onGo, picture }: ServerItemProps): VNode {
  const label = unread && !here ? `${name}, unread messages` : name
  return html`<div class=${`place ${here ? 'here' : ''} ${unread ? 'unread' : ''}`}>
    <span class="pill" aria-hidden="true"></span>
    <button type="button" aria-label=${label} title=${name} aria-current=${here ? 'true' : null} onClick=${onGo}>
      ${picture}
    </button>
  </div>`
}

function goTo(server: ServerView): void {
  const home = view.value?.home.channels.general
  const first = server.channels.find(({ id }) => id === home) ?? server.channels[0]
  if (first !== undefined) visit(first.id)
}

/** Opens the newest direct conversation or, if there is none, the conversation with the bot. */
async function openDms(): Promise<void> {
  const all = view.value
  const [first] = all?.conversations ?? []
  if (first !== undefined) return visit(first.id)
  const opened = await tell(api.converse(all?.bot.id ?? ''))
  if (opened === undefined) return
  await refreshView()
  visit(opened.id)
}

function initials(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word[0])
    .join('')
    .slice(0, 3)
}
