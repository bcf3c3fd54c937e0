import type { ChannelView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { isUnread, mentionsIn } from '../state/conversations.ts'
import { narrowScreen } from '../state/frame.ts'
import { parts, place, server, view, visit } from '../state/session.ts'
import { Avatar } from './avatar.ts'
import { Icon, type IconName } from './icons.ts'
import { YouAre } from './you-are.ts'

/** Returns the icon before a channel's name. */
export function iconOf({ kind }: Pick<ChannelView, 'kind'>): IconName {
  return kind === 'group' ? 'people' : kind === 'dm' || kind === 'thread' || kind === 'forum' ? 'chat' : 'hash'
}

/** Draws the server's channels or the direct conversations, and below them the person whom this tab plays. */
export function Channels(): VNode {
  const here = server.value
  const title = here?.name ?? 'Direct messages'
  const channels = here === null ? (view.value?.conversations ?? []) : withThreads(here.channels)
  return html`<div class="channels">
    <h1 class="channels-title">${title}</h1>
    <nav class="channel-list" aria-label=${here === null ? 'Direct messages' : 'Channels'} data-tour="channels">
      ${here !== null && html`<h2 class="eyebrow">Channels</h2>`}
      <ul>
        ${channels.map((each) => html`<${ChannelLine} key=${each.id} channel=${each} />`)}
      </ul>
      ${
        here === null &&
        channels.length === 0 &&
        html`<p class="hint">Nobody has written to you yet. Click a name to start a conversation.</p>`
      }
    </nav>
    <${YouAre} />
  </div>`
}

/** Puts each thread below its channel. Leaves out archived threads, except a thread that is open. */
function withThreads(channels: readonly ChannelView[]): ChannelView[] {
  const threads = Map.groupBy(channels, ({ parentId }) => parentId)
  const awake = ({ id, archived }: ChannelView) => !archived || id === place.value.channel
  return (threads.get(null) ?? []).flatMap((channel) => [channel, ...(threads.get(channel.id) ?? []).filter(awake)])
}

function ChannelLine({ channel }: { channel: ChannelView }): VNode {
  const here = place.value.channel === channel.id
  const unread = isUnread(channel) && !here
  const mentions = unread ? mentionsIn(channel.id) : 0
  const go = () => {
    visit(channel.id)
    narrowScreen.value = 'chat'
  }
  const state = `${unread ? ', unread' : ''}${mentions > 0 ? `, ${mentions} for you` : ''}`
  return html`<li>
    <button
      type="button"
      class=${`channel ${here ? 'here' : ''} ${unread ? 'unread' : ''} ${channel.parentId === null ? '' : 'thread'}`}
      aria-current=${here ? 'page' : null}
      aria-label=${`${channel.name}${state}`}
      data-channel=${channel.name}
      onClick=${go}
    >
      ${
        channel.with === null
          ? html`<${Icon} name=${iconOf(channel)} size=${18} />`
          : html`<span class="with-presence"
              ><${Avatar} person=${channel.with} size=${28} /><span
                class=${`presence ${!channel.with.bot || parts.value.botOnline ? 'online' : 'offline'}`}
              ></span
            ></span>`
      }
      <span class="channel-name">${channel.name}</span>
      ${mentions > 0 && html`<span class="count" aria-hidden="true">${mentions}</span>`}
    </button>
  </li>`
}
