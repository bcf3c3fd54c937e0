import type { MessageView } from '../../../discord-emulator/views.ts'
import type { VNode } from '../html.ts'
import { conversations } from '../state/conversations.ts'
import type { narrowScreen } from '../state/frame.ts'
import { channel, me, people, server } from '../state/session.ts'
import { progress } from './progress.ts'

export interface Step {
  readonly title: string
  readonly words: () => VNode
  /** The target of the spotlight: the value of its `data-tour`, or a selector. */
  readonly points: () => string
  /** The screen that contains the target in a narrow window, which shows one thing at a time. */
  readonly screen: () => typeof narrowScreen.value
  /** Whether the person has completed the step. */
  readonly done: () => boolean
  /** Whether the step happens on another page, so that the books must be checked repeatedly. */
  readonly elsewhere?: true
  /** The username of the person who does this step. A tab of another person offers to become this person. */
  readonly as?: string
  /** An action that helps with the step. */
  readonly aid?: Aid
}

export interface Aid {
  readonly label: () => string
  readonly run: () => void
  /** Whether the action merely shows something extra, and is therefore offered only if there is room. */
  readonly aside?: true
}

export interface Chapter {
  /** The title in the choice of tours. */
  readonly title: string
  readonly steps: readonly Step[]
  /** The text after the last step. */
  readonly farewell: { readonly title: string; readonly words: () => VNode; readonly aid?: Aid }
}

/** The edge colour of the bot's refusals. */
const REFUSED = 0xed_42_45

export const isCalled = (username: string) => me.value?.username === username

/** Returns the name of the person with this username; the username itself if nobody has it. */
export const nameOf = (username: string) => personCalled(username)?.name ?? username

export const personCalled = (username: string) => people.value.find((each) => each.username === username)

export const serverName = () => server.value?.name ?? 'this server'

/** Returns the messages in the open channel since the tour began. */
export function here(): readonly MessageView[] {
  const messages = conversations.value.get(channel.value?.id ?? '')?.messages ?? []
  return messages.filter(({ createdAt }) => Date.parse(createdAt) >= progress.value.since)
}

/** Returns the bot's answers to this person's uses of a command, except refusals. */
export function answers(command: string): readonly MessageView[] {
  return here().filter(({ usedBy, loading, embeds }) => {
    const isMine = usedBy?.command === command && usedBy.personId === me.value?.id
    return isMine && !loading && !embeds.some(({ color }) => color === REFUSED)
  })
}

/** Returns the bot's public messages that are newer than `first`, except answers to commands. */
export function toldSince(first: MessageView | undefined): readonly MessageView[] {
  if (first === undefined) return []
  return here().filter(
    ({ author, visibleTo, usedBy, createdAt }) =>
      author.bot && visibleTo === null && usedBy === null && createdAt > first.createdAt,
  )
}

/**
 * Returns the bot's private messages to this person about the shares that they took, which are replies to the card of a
 * drop.
 */
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
