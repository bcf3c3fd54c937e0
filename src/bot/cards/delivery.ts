import type { Card } from '../../tipping/tipping.ts'
import type { Message, Posting } from '../discord/message.ts'
import { type MessageRef, type Messenger, meaningOf } from '../discord/messenger.ts'
import type { ReplyToken } from '../discord/reply-token.ts'
import type { Drawing, LatePolicy } from './card-renderer.ts'

/** A card on its way to those who should see it. */
export interface Delivery {
  readonly card: Card
  readonly drawing: Drawing
  readonly late: LatePolicy
  /** Answers the command that the card answers, or is about; undefined when that can no longer be done. */
  readonly reply: ReplyToken | undefined
  /** The acknowledgement has notified everybody whom the card names. */
  readonly notified: boolean
  /** The message with the card that this one is about. */
  readonly about: MessageRef | undefined
}

/** `message` is to be remembered with the card. `gone`: those it was for cannot be told this way any more. */
export type Delivered = { readonly message: string } | 'gone'

/** Marks a private answer: only its token can change it, so there is no place to remember. */
const ANSWER = 'answer'

/**
 * Shows a card where it belongs: in the answer to its command while Discord lets us edit that (fifteen minutes), later
 * in the message itself (public) or by private message. Throws when it is Discord's fault and the same may work later.
 */
export async function deliver(messenger: Messenger, delivery: Delivery): Promise<Delivered> {
  try {
    const answered = await answer(messenger, delivery)
    if (answered !== undefined) return answered
    return 'channel' in delivery.card.audience
      ? await toChannel(messenger, delivery, delivery.card.audience.channel)
      : await toMember(messenger, delivery, delivery.card.audience.member)
  } catch (error) {
    if (meaningOf(error) === 'again') throw error
    return 'gone'
  }
}

async function answer(messenger: Messenger, delivery: Delivery): Promise<Delivered | undefined> {
  const { card, drawing, reply, notified } = delivery
  const isPrivate = 'member' in card.audience
  if (reply === undefined || (isPrivate && parseMessageRef(card.message) !== undefined)) return undefined
  try {
    if (card.origin !== undefined) {
      const ref = await messenger.answer(reply, drawing.message, isPrivate ? 'one' : 'all')
      if (card.message === undefined) {
        const bell = drawing.bell === undefined || notified ? [] : [drawing.bell]
        for (const message of [...(drawing.after ?? []), ...bell]) {
          await messenger.followUp(reply, message, { private: isPrivate })
        }
      }
      return { message: isPrivate ? ANSWER : formatMessageRef(ref) }
    }
    if (!isPrivate || card.message !== undefined) return undefined
    await messenger.followUp(reply, drawing.message, { private: true })
    return { message: ANSWER }
  } catch (error) {
    const meaning = meaningOf(error)
    // An answer that is gone before it told anybody anything, or that was private, is not the end: there are other ways.
    if (meaning === 'token' || (meaning === 'gone' && (isPrivate || card.message === undefined))) return undefined
    throw error
  }
}

async function toChannel(messenger: Messenger, { card, drawing, about }: Delivery, channel: string) {
  const ref = parseMessageRef(card.message)
  if (ref !== undefined) {
    await messenger.edit(ref, drawing.message, 'all')
    return { message: formatMessageRef(ref) }
  }
  const answers = about?.channel === channel ? about.message : undefined
  const posted = await post(messenger, channel, drawing.message, { once: onceKey(card), answers })
  for (const message of drawing.after ?? []) await messenger.post(channel, message)
  return { message: formatMessageRef(posted) }
}

/** Whether a message may answer another is a permission of its own (Read Message History); the message matters more. */
async function post(messenger: Messenger, channel: string, message: Message, posting: Posting): Promise<MessageRef> {
  try {
    return await messenger.post(channel, message, posting)
  } catch (error) {
    if (posting.answers === undefined || meaningOf(error) !== 'gone') throw error
    return await messenger.post(channel, message, { ...posting, answers: undefined })
  }
}

async function toMember(messenger: Messenger, { card, drawing, late }: Delivery, member: string): Promise<Delivered> {
  const ref = parseMessageRef(card.message)
  if (ref !== undefined) {
    await messenger.edit(ref, drawing.message, 'one')
    return { message: formatMessageRef(ref) }
  }
  if (card.message !== undefined && late === 'silence') return { message: card.message }
  const channel = await messenger.privateChannel(member)
  const posted = await messenger.post(channel, drawing.message, { once: onceKey(card), readers: 'one' })
  for (const message of drawing.after ?? []) await messenger.post(channel, message, { readers: 'one' })
  return { message: formatMessageRef(posted) }
}

/** Discord takes 25 characters: 96 bits of a card's UUID tell any two apart. The letter keeps it from being a number. */
function onceKey(card: Card): string {
  return `c${card.id.replaceAll('-', '').slice(0, 24)}`
}

function formatMessageRef({ channel, message }: MessageRef): string {
  return `${channel}/${message}`
}

/** Undefined when the card was never shown, or only in a private answer. */
export function parseMessageRef(text: string | undefined): MessageRef | undefined {
  const [channel, message] = text?.split('/') ?? []
  return channel === undefined || message === undefined ? undefined : { channel, message }
}
