import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { openMessageMenu, Toolbar } from '../overlays/message-menu.ts'
import { openPersonMenu } from '../overlays/person-menu.ts'
import { openProfile } from '../overlays/profile.ts'
import { Avatar, BotTag } from '../sides/avatar.ts'
import { Dots } from '../sides/dots.ts'
import { Icon } from '../sides/icons.ts'
import { api } from '../state/api.ts'
import { interactionOn, tell } from '../state/interactions.ts'
import { channelById, colorOf, language, me, memberById, now, roleById } from '../state/session.ts'
import { codesIn } from '../text/codes.ts'
import { clockTime, fullTime, messageTime } from '../text/format.ts'
import { oneLine } from '../text/one-line.ts'
import { RichText } from '../text/rich-text.ts'
import { Attachments } from './attachments.ts'
import { textsOf } from './component.ts'
import { Components } from './components.ts'
import { Embed } from './embed.ts'
import { Reactions } from './reactions.ts'
import { codeStatusOf, TextCode } from './scan-code.ts'

interface MessageProps {
  message: MessageView
  /** Whether the message follows another by the same author, and therefore shows no picture and no name. */
  grouped: boolean
  /** The answered message, if it is loaded. */
  answered: MessageView | undefined
}

/** Draws one message with its attachments and controls. */
export function Message({ message, grouped, answered }: MessageProps): VNode {
  const { author } = message
  const forMe = message.notifies.personIds.includes(me.value?.id ?? '') || message.notifies.everyone
  const heads = !grouped
  const kinds = [heads ? 'heads' : 'grouped', forMe && 'for-me', message.ephemeral && 'ephemeral'].filter(Boolean)
  const showProfile = (event: MouseEvent) => openProfile(author.id, event.currentTarget as HTMLElement)
  return html`<li
    class=${`message ${kinds.join(' ')}`}
    id=${`m${message.id}`}
    tabindex="-1"
    data-author=${author.username}
    onContextMenu=${(event: MouseEvent) => openMessageMenu(event, message)}
  >
    ${heads && html`<${Above} message=${message} answered=${answered} />`}
    ${
      heads
        ? html`<button
            type="button"
            class="message-avatar"
            tabindex="-1"
            aria-hidden="true"
            onClick=${showProfile}
            onContextMenu=${(event: MouseEvent) => openPersonMenu(event, author.id)}
          >
            <${Avatar} person=${author} size=${40} />
          </button>`
        : html`<time class="grouped-time" aria-hidden="true">${clockTime(message.createdAt)}</time>`
    }
    <div class="message-body">
      ${heads && html`<${Head} message=${message} />`}
      <${Content} message=${message} answered=${answered} />
      <${Footing} message=${message} />
    </div>
    <${Toolbar} message=${message} />
  </li>`
}

function Head({ message }: { message: MessageView }): VNode {
  const { author } = message
  const color = colorOf(author.id)
  return html`<div class="message-head">
    <button
      type="button"
      class="author"
      tabindex="-1"
      style=${color === null ? null : { '--role': color }}
      onClick=${(event: MouseEvent) => openProfile(author.id, event.currentTarget as HTMLElement)}
      onContextMenu=${(event: MouseEvent) => openPersonMenu(event, author.id)}
    >
      ${memberById(author.id)?.nick ?? author.name}</button
    >${author.bot && html`<${BotTag} />`}<time datetime=${message.createdAt} title=${fullTime(message.createdAt)}
      >${messageTime(message.createdAt, now.value)}</time
    >
  </div>`
}

/** Draws what is above a message: "alice used /tip", or the answered message. */
function Above({ message, answered }: { message: MessageView; answered: MessageView | undefined }): VNode | null {
  if (message.usedBy !== null) {
    const { name, personId, command } = message.usedBy
    return html`<div class="used">
      <span class="spine" aria-hidden="true"></span>
      <button type="button" tabindex="-1" onClick=${(event: MouseEvent) => openProfile(personId, event.currentTarget as HTMLElement)}>
        <strong>${name}</strong>
      </button>
      used <span class="mention">${command.startsWith('⚡') ? command : `/${command}`}</span>
    </div>`
  }
  if (message.replyTo === null) return null
  const jump = () => {
    const target = document.getElementById(`m${message.replyTo}`)
    target?.scrollIntoView({ block: 'center', behavior: 'smooth' })
    target?.classList.add('pointed-at')
    setTimeout(() => target?.classList.remove('pointed-at'), 1_600)
  }
  return html`<div class="used reply">
    <span class="spine" aria-hidden="true"></span>
    ${
      answered === undefined
        ? html`<em>an earlier message</em>`
        : html`<button type="button" tabindex="-1" onClick=${jump}>
            <strong>${answered.author.name}</strong> <span class="excerpt">${excerpt(answered)}</span>
          </button>`
    }
  </div>`
}

function Content({ message, answered }: Pick<MessageProps, 'message' | 'answered'>): VNode {
  if (message.loading) {
    return html`<p class="thinking" role="status"><${Dots} />${message.author.name} is thinking…</p>`
  }
  const codes = codesIn(
    [message.content, ...message.embeds.map(({ description }) => String(description ?? ''))].join('\n'),
  )
  const status = codeStatusOf(message, answered)
  return html`
    ${message.content !== '' && html`<${RichText} text=${message.content} names=${message.names} />`}
    ${message.embeds.map((embed, at) => html`<${Embed} key=${at} embed=${embed} message=${message} />`)}
    <${Attachments} message=${message} />
    ${codes.map((code) => html`<${TextCode} key=${code} code=${code} placeId=${`${message.id} text`} status=${status} />`)}
    <${Components} message=${message} />
    ${message.editedAt !== null && html`<span class="edited" title=${fullTime(message.editedAt)}>(edited)</span>`}
  `
}

function Footing({ message }: { message: MessageView }): VNode {
  const sent = interactionOn(message.id)
  return html`
    ${
      sent?.view.state === 'failed' &&
      html`<p class="failure" role="alert"><${Icon} name="warning" size=${16} />This interaction failed</p>`
    }
    <${Reactions} message=${message} />
    ${
      message.ephemeral &&
      html`<p class="ephemeral-note">
        <${Icon} name="eye" size=${15} />Only you can see this ·
        <button type="button" class="link-button" onClick=${() => tell(api.dismiss(message.channelId, message.id))}>
          Dismiss message
        </button>
      </p>`
    }
  `
}

/** Returns the part of the answered message that a reply shows. */
export function excerpt(message: MessageView): string {
  if (message.loading) return 'is thinking…'
  const [embed] = message.embeds
  const [said] = textsOf(message)
  const text = message.content || said || String(embed?.title ?? embed?.description ?? '') || 'Click to see the message'
  const { people, roles } = message.names
  return oneLine(text, {
    person: (id) => people[id],
    role: (id) => roles[id] ?? roleById(id)?.name,
    channel: (id) => channelById(id)?.name,
    now: now.value,
    language: language.value,
  })
}
