import type { Card } from '../../tipping/tipping.ts'
import type { Message, Posting } from '../messages/message.ts'
import { isBlocked, type MessageRef, type Messenger, meaningOf, type Written } from '../transport/messenger.ts'
import type { ReplyToken } from '../transport/reply-token.ts'
import type { Drawing, LatePolicy } from './card-renderer.ts'

/** A card on its way to its readers. */
export interface Delivery {
  readonly card: Card
  readonly drawing: Drawing
  readonly late: LatePolicy
  /**
   * The token for answering the command that the card answers or concerns; undefined if an answer is no longer
   * possible.
   */
  readonly reply: ReplyToken | undefined
  /** Whether the acknowledgement has notified everybody whom the card names. */
  readonly notified: boolean
  /** The text that the acknowledgement already contains. */
  readonly written?: Written | undefined
  /** The message that shows the earlier card to which this card refers. */
  readonly about: MessageRef | undefined
}

/**
 * The outcome of a delivery. `message` must be stored with the card. `gone`: the card can never be shown this way.
 * `asleep`: the message is in a thread that accepts no changes now.
 */
export type Delivered = { readonly message: string } | 'gone' | 'asleep'

/**
 * The value that is stored as the place of a card in a private answer, which can be changed only with the answer's
 * token.
 */
const ANSWER = 'answer'

/**
 * Shows a card in its place: in its command's answer while Discord permits edits (fifteen minutes), later in the
 * message itself if the card is public, otherwise by private message. Throws if Discord failed and another attempt
 * could succeed.
 */
export async function deliver(messenger: Messenger, delivery: Delivery): Promise<Delivered> {
  try {
    const answered = await answer(messenger, delivery)
    if (answered !== undefined) return answered
    return 'channel' in delivery.card.audience
      ? await toChannel(messenger, delivery, delivery.card.audience.channel)
      : await toMember(messenger, delivery, delivery.card.audience.member)
  } catch (error) {
    const meaning = meaningOf(error)
    if (meaning === 'again') throw error
    // A card that nobody has seen is sent in another way. One in a thread waits until the thread wakes.
    return meaning === 'asleep' && delivery.card.message !== undefined ? 'asleep' : 'gone'
  }
}

async function answer(messenger: Messenger, delivery: Delivery): Promise<Delivered | undefined> {
  const { card, reply } = delivery
  const isPrivate = 'member' in card.audience
  if (reply === undefined || (isPrivate && parseMessageRef(card.message) !== undefined)) return undefined
  try {
    if (card.origin !== undefined) {
      return reply.follows ? await below(messenger, delivery, reply) : await inAnswer(messenger, delivery, reply)
    }
    if (!isPrivate || card.message !== undefined) return undefined
    await messenger.followUp(reply, delivery.drawing.message, { private: true })
    return { message: ANSWER }
  } catch (error) {
    const meaning = meaningOf(error)
    // If an answer was lost before anybody saw it, or was private, there are other ways.
    const isNews = isPrivate || card.message === undefined
    if (meaning === 'token' || (meaning !== 'again' && isNews)) return undefined
    throw error
  }
}

/** Shows the card in the answer itself. The first time, also sends the card's further messages below the answer. */
async function inAnswer(messenger: Messenger, delivery: Delivery, reply: ReplyToken): Promise<Delivered> {
  const { card, drawing, notified, written } = delivery
  const isPrivate = 'member' in card.audience
  const ref = await unlessBlocked(drawing, (message) => messenger.answer(reply, message, written))
  if (card.message === undefined) {
    const bell = drawing.bell === undefined || notified ? [] : [drawing.bell]
    for (const message of [...(drawing.after ?? []), ...bell]) {
      await messenger.followUp(reply, message, { private: isPrivate })
    }
  }
  return { message: isPrivate ? ANSWER : formatMessageRef(ref) }
}

/** Shows the card in a separate message below the answer, which is the only way where the bot is not a member. */
async function below(messenger: Messenger, { card, drawing }: Delivery, reply: ReplyToken): Promise<Delivered> {
  const ref = parseMessageRef(card.message)
  if (ref === undefined) {
    return { message: formatMessageRef(await unlessBlocked(drawing, (message) => messenger.followUp(reply, message))) }
  }
  await unlessBlocked(drawing, (message) => messenger.changeFollowUp(reply, ref.message, message))
  return { message: formatMessageRef(ref) }
}

/** Sends a card's message, and sends it again without people's own texts if AutoMod forbids those texts. */
async function unlessBlocked<Sent>(
  { message, bare }: Drawing,
  send: (message: Message) => Promise<Sent>,
): Promise<Sent> {
  try {
    return await send(message)
  } catch (error) {
    if (bare === undefined || !isBlocked(error)) throw error
    return await send(bare)
  }
}

async function toChannel(messenger: Messenger, { card, drawing, about }: Delivery, channel: string) {
  const ref = parseMessageRef(card.message)
  if (ref !== undefined) {
    await messenger.edit(ref, drawing.message)
    return { message: formatMessageRef(ref) }
  }
  const answers = about?.channel === channel ? about.message : undefined
  const posted = await post(messenger, channel, drawing.message, { once: onceKey(card), answers })
  for (const message of drawing.after ?? []) await messenger.post(channel, message)
  return { message: formatMessageRef(posted) }
}

/**
 * Posts a message as an answer to another message, or on its own if the bot lacks the permission for answers (Read
 * Message History).
 */
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
    await messenger.edit(ref, drawing.message)
    return { message: formatMessageRef(ref) }
  }
  if (card.message !== undefined && late === 'silence') return { message: card.message }
  const channel = await messenger.privateChannel(member)
  const posted = await messenger.post(channel, drawing.message, { once: onceKey(card) })
  for (const message of drawing.after ?? []) await messenger.post(channel, message)
  return { message: formatMessageRef(posted) }
}

/**
 * Sends a payer or recipient the card that a channel could not show. If that person accepts no private messages,
 * `/history` still shows the record. Throws if another attempt could succeed.
 */
export async function tellLost(messenger: Messenger, card: Card, member: string, message: Message): Promise<void> {
  try {
    const channel = await messenger.privateChannel(member)
    await messenger.post(channel, { ...message, notifies: [] }, { once: onceKey(card) })
  } catch (error) {
    if (meaningOf(error) === 'again') throw error
  }
}

/**
 * Returns a key of at most 25 characters, Discord's limit: 96 bits of a card's UUID distinguish any two cards. The
 * letter prevents the key from being a number.
 */
function onceKey(card: Card): string {
  return `c${card.id.replaceAll('-', '').slice(0, 24)}`
}

function formatMessageRef({ channel, message }: MessageRef): string {
  return `${channel}/${message}`
}

/** Parses a message's stored place; undefined if the card was never shown, or only in a private answer. */
export function parseMessageRef(text: string | undefined): MessageRef | undefined {
  const [channel, message] = text?.split('/') ?? []
  return channel === undefined || message === undefined ? undefined : { channel, message }
}
