import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { replyingTo } from '../state/conversations.ts'
import { follow, tell } from '../state/interactions.ts'
import { me, memberById } from '../state/session.ts'
import { type MenuItem, openMenu } from './menu.ts'

/** The reactions that the menu offers. A rule for good posts rewards 🏅 by default. */
const quickEmoji = ['⚡', '🧡', '👍', '😂', '🎉', '🚀', '🏅']

/** Opens the menu of actions on a message, including the bot's own commands. */
export function openMessageMenu(event: MouseEvent, message: MessageView): void {
  if ((event.target as HTMLElement).closest?.('a, input, textarea') !== null && event.type === 'contextmenu') return
  openMenu(event, {
    label: 'Message menu',
    quick: message.ephemeral ? undefined : quick(message),
    items: itemsFor(message),
  })
}

function quick(message: MessageView) {
  return quickEmoji.map((emoji) => ({ emoji, run: () => toggleReaction(message, emoji) }))
}

function itemsFor(message: MessageView): MenuItem[] {
  const { channelId, id } = message
  const apps = message.ephemeral ? [] : commandsHere.value.filter(({ kind }) => kind === 'message')
  const mayDelete =
    !message.ephemeral && (message.author.id === me.value?.id || memberById(me.value?.id ?? '')?.moderator)
  const copied = [message.content, ...message.embeds.map(({ description }) => String(description ?? ''))]
    .join('\n')
    .trim()
  return [
    ...(message.ephemeral ? [] : [{ label: 'Reply', icon: 'reply' as const, run: () => startReply(message) }]),
    ...(copied === ''
      ? []
      : [{ label: 'Copy text', icon: 'copy' as const, run: () => void navigator.clipboard.writeText(copied) }]),
    { label: 'Copy message ID', icon: 'copy' as const, run: () => void navigator.clipboard.writeText(id) },
    ...apps.map((command, at) => ({
      label: command.label,
      icon: 'bolt' as const,
      ...(at === 0 ? { under: 'Apps' } : {}),
      run: () => void follow(api.useOnMessage(channelId, id, command.path), command.label),
    })),
    ...(message.ephemeral
      ? [{ label: 'Dismiss message', icon: 'close' as const, run: () => void tell(api.dismiss(channelId, id)) }]
      : []),
    ...(mayDelete === true
      ? [
          {
            label: 'Delete message',
            icon: 'trash' as const,
            danger: true,
            run: () => void tell(api.remove(channelId, id)),
          },
        ]
      : []),
  ]
}

/** Draws a message's toolbar, which is visible while the message is under the pointer or has the focus. */
export function Toolbar({ message }: { message: MessageView }): VNode | null {
  if (message.loading) return null
  return html`<div class="toolbar" role="group" aria-label="Message actions">
    ${
      !message.ephemeral &&
      html`<button type="button" tabindex="-1" aria-label="React" title="React" aria-haspopup="menu" onClick=${(
        event: MouseEvent,
      ) => openMenu(event, { label: 'React', items: [], quick: quick(message) })}>
          <${Icon} name="smile" />
        </button>
        <button type="button" tabindex="-1" aria-label="Reply" title="Reply" onClick=${() => startReply(message)}>
          <${Icon} name="reply" />
        </button>`
    }
    <button
      type="button"
      tabindex="-1"
      aria-label="More"
      title="More"
      aria-haspopup="menu"
      onClick=${(event: MouseEvent) => openMessageMenu(event, message)}
    >
      <${Icon} name="more" />
    </button>
  </div>`
}

function startReply(message: MessageView): void {
  replyingTo.value = message
  document.getElementById('composer')?.focus()
}

function toggleReaction(message: MessageView, emoji: string): void {
  const mine = message.reactions.some((each) => each.emoji === emoji && each.personIds.includes(me.value?.id ?? ''))
  void tell(api.react(message.channelId, message.id, emoji, !mine))
}
