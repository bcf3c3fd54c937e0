import type { MessageView } from '../../../discord-emulator/views.ts'
import type { VNode } from '../html.ts'
import { conversations } from '../state/conversations.ts'
import type { narrowScreen } from '../state/frame.ts'
import { channel, me, people, server } from '../state/session.ts'
import { progress } from './progress.ts'

export interface Step {
  readonly title: string
  readonly words: () => VNode
  /** The target of the pointer: the value of its `data-tour`, or a selector. */
  readonly points: () => string
  /** Where that is to be found, when one thing is shown at a time. */
  readonly screen: () => typeof narrowScreen.value
  /** Whether the person has done it. */
  readonly done: () => boolean
  /** Whether it is done on another page, so the books are checked repeatedly. */
  readonly elsewhere?: true
  /** By username, who one has to be: others are offered to become them. */
  readonly as?: string
  /** A helping action. */
  readonly aid?: Aid
}

export interface Aid {
  readonly label: () => string
  readonly run: () => void
  /** Something else to look at, only where there is room for it. */
  readonly aside?: true
}

export interface Chapter {
  /** As the choice of tours names it. */
  readonly title: string
  readonly steps: readonly Step[]
  /** Text after its last step. */
  readonly farewell: { readonly title: string; readonly words: () => VNode; readonly aid?: Aid }
}

/** Edge colour of the bot's refusals. */
const REFUSED = 0xed_42_45

export const isCalled = (username: string) => me.value?.username === username

/** Somebody's name; the given default if nobody is called so. */
export const nameOf = (username: string) => personCalled(username)?.name ?? username

export const personCalled = (username: string) => people.value.find((each) => each.username === username)

export const serverName = () => server.value?.name ?? 'this server'

/** Messages in the open channel since the tour began. */
export function here(): readonly MessageView[] {
  const messages = conversations.value.get(channel.value?.id ?? '')?.messages ?? []
  return messages.filter(({ createdAt }) => Date.parse(createdAt) >= progress.value.since)
}

/** Results of this person's uses of a command, without refusals. */
export function answers(command: string): readonly MessageView[] {
  return here().filter(({ usedBy, loading, embeds }) => {
    const isMine = usedBy?.command === command && usedBy.personId === me.value?.id
    return isMine && !loading && !embeds.some(({ color }) => color === REFUSED)
  })
}

/** The bot's public messages since a message, except answers in the channel. */
export function toldSince(first: MessageView | undefined): readonly MessageView[] {
  if (first === undefined) return []
  return here().filter(
    ({ author, visibleTo, usedBy, createdAt }) =>
      author.bot && visibleTo === null && usedBy === null && createdAt > first.createdAt,
  )
}

/** The private word about a share that was taken: it answers the card of a drop. */
export function sharesTaken(): readonly MessageView[] {
  const drops = new Set(here().flatMap(({ id, usedBy }) => (isDrop(usedBy?.command) ? [id] : [])))
  return here().filter(
    ({ replyTo, visibleTo, loading }) =>
      replyTo !== null && drops.has(replyTo) && visibleTo === me.value?.id && !loading,
  )
}

function isDrop(command: string | undefined): boolean {
  return command === 'drop' || command === 'voucher drop'
}
