import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, useEffect, useLayoutEffect, useRef, type VNode } from '../html.ts'
import { Avatar, BotTag } from '../sides/avatar.ts'
import { Dots } from '../sides/dots.ts'
import { Icon } from '../sides/icons.ts'
import { compareIds, current, loadOlder, markRead, readMark, typing } from '../state/conversations.ts'
import { forgetInteraction, looseInteractions, type SentInteraction, sentInteractions } from '../state/interactions.ts'
import { channel, me, memberById, personById, server, view } from '../state/session.ts'
import { dayOf } from '../text/format.ts'
import { Message } from './message.ts'

/** The time within which messages of one author form a group. */
const togetherMs = 7 * 60_000

/**
 * Draws the open channel's messages, with the newest at the bottom. Older messages load when the person scrolls up to
 * them.
 */
export function Conversation(): VNode {
  const here = channel.value
  const loaded = current.value
  const id = here?.id ?? ''
  const scroller = useRef<HTMLDivElement>(null)
  const newSince = useRef<{ channel: string; mark: string | undefined }>({ channel: '', mark: undefined })
  if (newSince.current.channel !== `${me.value?.id} ${id}`) {
    newSince.current = { channel: `${me.value?.id} ${id}`, mark: readMark(id) }
  }
  useEffect(() => {
    if (document.visibilityState === 'visible') markRead(id)
  }, [id, loaded])
  // As in Discord, sending a command scrolls down to its answer.
  const sent = [...sentInteractions.value.values()].findLast(({ messageId }) => messageId === null)?.view.id
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0
  }, [id, sent])
  function onScroll(): void {
    const box = scroller.current
    if (box !== null && box.scrollHeight + box.scrollTop - box.clientHeight < 300) void loadOlder(id)
  }
  return html`<div class="conversation" ref=${scroller} tabindex="0" role="region" aria-label="Messages" onScroll=${onScroll} onKeyDown=${walk}>
    <div class="messages">
      ${
        loaded === null
          ? html`<${Skeleton} />`
          : html`${!loaded.more && html`<${Beginning} />`}
              <div class="message-list" role="log" aria-live="polite" aria-relevant="additions text" aria-label="Conversation">
                <ol>
                  ${lines(loaded.messages, newSince.current.mark, looseInteractions.value)}
                </ol>
              </div>`
      }
      <${Typing} />
    </div>
  </div>`
}

/** Moves through the messages with the arrow keys. Enter opens the focused message's menu. */
function walk(event: KeyboardEvent): void {
  const region = event.currentTarget as HTMLElement
  const from = event.target as HTMLElement
  const messages = [...region.querySelectorAll<HTMLElement>('li.message')]
  const at = messages.indexOf(from)
  if (from !== region && at === -1) return
  const last = messages.length - 1
  const to = { ArrowUp: at === -1 ? last : at - 1, ArrowDown: at === -1 ? last : at + 1, Home: 0, End: last }[event.key]
  if (to !== undefined) messages[Math.max(0, Math.min(to, last))]?.focus()
  else if (event.key === 'Enter' && at !== -1) from.querySelector<HTMLElement>('.toolbar [aria-label=More]')?.click()
  else return
  event.preventDefault()
}

/**
 * Draws the messages, with separators for days and for the first new message, and with commands that have no answer.
 */
function lines(
  messages: readonly MessageView[],
  mark: string | undefined,
  sentInteractions: readonly SentInteraction[],
): VNode[] {
  const drawn: VNode[] = []
  const byId = new Map(messages.map((message) => [message.id, message]))
  let newShown = mark === undefined
  const waiting = [...sentInteractions]
  // One clock gives interactions and messages their ids.
  const interactionsBefore = (message?: MessageView) => {
    while (waiting[0] !== undefined && (message === undefined || compareIds(waiting[0].view.id, message.id) < 0)) {
      const [sent] = waiting.splice(0, 1)
      drawn.push(html`<${LooseInteraction} key=${sent?.view.id} sent=${sent} />`)
    }
  }
  for (const [at, message] of messages.entries()) {
    interactionsBefore(message)
    const before = messages[at - 1]
    const newDay = before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt)
    const firstNew = !newShown && before !== undefined && before.id === mark && message.author.id !== me.value?.id
    if (firstNew) newShown = true
    if (newDay || firstNew) {
      const words = newDay ? dayOf(message.createdAt) : ''
      drawn.push(html`<li class=${`divider ${firstNew ? 'new' : ''}`} key=${`before ${message.id}`}>
        <span>${words}</span>${firstNew && html`<em>New</em>`}
      </li>`)
    }
    const grouped = !newDay && !firstNew && before !== undefined && standsWith(before, message)
    const answered = message.replyTo === null ? undefined : byId.get(message.replyTo)
    drawn.push(html`<${Message} key=${message.id} message=${message} grouped=${grouped} answered=${answered} />`)
  }
  interactionsBefore()
  return drawn
}

function standsWith(before: MessageView, message: MessageView): boolean {
  return (
    before.author.id === message.author.id &&
    message.usedBy === null &&
    (message.replyTo === null || message.replyTo === before.id) &&
    before.ephemeral === message.ephemeral &&
    Date.parse(message.createdAt) - Date.parse(before.createdAt) < togetherMs
  )
}

function Beginning(): VNode {
  const here = channel.value
  if (here?.kind === 'dm' && here.with !== null) {
    return html`<div class="beginning">
      <${Avatar} person=${here.with} size=${72} />
      <h3>${here.name}</h3>
      <p>This is the beginning of your conversation with <strong>${here.name}</strong>.${here.with.bot && html` Type <kbd>/</kbd> to see what it can do.`}</p>
    </div>`
  }
  return html`<div class="beginning">
    <span class="beginning-mark"><${Icon} name="hash" size=${40} /></span>
    <h3>Welcome to #${here?.name ?? ''}</h3>
    <p>${here?.topic ?? ''} Type <kbd>/</kbd> to see what Satchel can do.</p>
  </div>`
}

/** Draws a command that the bot has not answered yet, or not in time. Only the person who used it sees this. */
function LooseInteraction({ sent }: { sent: SentInteraction }): VNode {
  const bot = memberById(view.value?.bot.id ?? '') ?? personById(view.value?.bot.id ?? '')
  const failed = sent.view.state === 'failed'
  return html`<li class=${`message pending ${failed ? 'failed' : ''}`} tabindex="-1" data-state=${sent.view.state}>
    <div class="used"><span class="spine" aria-hidden="true"></span><strong>${me.value?.name}</strong> used <span class="mention">${sent.label}</span></div>
    ${bot !== undefined && html`<span class="message-avatar"><${Avatar} person=${bot} size=${40} /></span>`}
    <div class="message-body" role=${failed ? 'alert' : 'status'}>
      <div class="message-head"><span class="author">${bot?.name ?? 'Satchel'}</span><${BotTag} /></div>
      ${
        failed
          ? html`<p class="failure"><${Icon} name="warning" size=${16} />${sent.view.failure ?? 'The application did not respond'}</p>`
          : html`<p class="thinking"><${Dots} />Sending command…</p>`
      }
      ${
        failed &&
        html`<p class="ephemeral-note"><${Icon} name="eye" size=${15} />Only you can see this ·
          <button type="button" class="link-button" onClick=${() => forgetInteraction(sent.view.id)}>Dismiss message</button></p>`
      }
    </div>
  </li>`
}

function Typing(): VNode {
  const who = [...(typing.value.get(channel.value?.id ?? '')?.keys() ?? [])].filter((id) => id !== me.value?.id)
  const names = who.map((id) => server.value?.members.find((member) => member.id === id)?.name ?? 'Somebody')
  return html`<div class="typing" aria-live="polite">
    ${names.length > 0 && html`<${Dots} /><strong>${names.join(', ')}</strong> ${names.length > 1 ? 'are' : 'is'} typing…`}
  </div>`
}

function Skeleton(): VNode {
  return html`<div class="skeleton" aria-hidden="true">
    ${[62, 40, 75, 34].map((share) => html`<div class="skeleton-line"><i></i><b style=${{ width: `${share}%` }}></b></div>`)}
  </div>`
}
