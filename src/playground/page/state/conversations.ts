import type { ChannelView, MessageView } from '../../../discord-emulator/views.ts'
import { computed, signal } from '../html.ts'
import { api } from './api.ts'
import { channel, me, place, view } from './session.ts'

interface Conversation {
  readonly messages: readonly MessageView[]
  /** Whether older messages may exist. */
  readonly more: boolean
}

const pageSize = 60

/** Loaded conversations, by channel. */
export const conversations = signal<ReadonlyMap<string, Conversation>>(new Map())
export const current = computed(() => conversations.value.get(place.value.channel) ?? null)
/** People who are typing, by channel. */
export const typing = signal<ReadonlyMap<string, ReadonlyMap<string, number>>>(new Map())
/** The message that the person is answering. */
export const replyingTo = signal<MessageView | null>(null)

/** The last message read, by person and channel. These marks are stored, so they survive a reload. */
const readMarks = signal<Readonly<Record<string, string>>>(JSON.parse(localStorage.getItem('read') ?? '{}'))

/**
 * For each channel that is being loaded, the events that have arrived meanwhile. They are applied again afterwards,
 * because the loaded messages may be older.
 */
const loading = new Map<string, (() => void)[]>()

export function forgetConversations(): void {
  loading.clear()
  conversations.value = new Map()
  typing.value = new Map()
  replyingTo.value = null
}

/** Loads a channel's newest messages, also after the connection was lost. */
export async function loadConversation(id: string): Promise<void> {
  const heard: (() => void)[] = []
  loading.set(id, heard)
  const messages = await api.messages(id)
  // The tab has asked again since, or is another person now.
  if (loading.get(id) !== heard) return
  loading.delete(id)
  put(id, { messages, more: messages.length === pageSize })
  for (const again of heard) again()
}

export async function loadOlder(id: string): Promise<void> {
  const known = conversations.value.get(id)
  const before = known?.messages[0]?.id
  if (known === undefined || !known.more || before === undefined) return
  const older = await api.messages(id, before)
  const now = conversations.value.get(id) ?? known
  const seen = new Set(now.messages.map((message) => message.id))
  put(id, {
    messages: [...older.filter((message) => !seen.has(message.id)), ...now.messages],
    more: older.length === pageSize,
  })
}

/** Stores a new or changed message. */
export function keepMessage(message: MessageView): void {
  loading.get(message.channelId)?.push(() => keepMessage(message))
  noteLast(message.channelId, message.id)
  stopTyping(message.channelId, message.author.id)
  const known = conversations.value.get(message.channelId)
  if (known === undefined) return
  const at = known.messages.findIndex(({ id }) => id === message.id)
  if (at !== -1) put(message.channelId, { ...known, messages: known.messages.with(at, message) })
  else {
    const newer = known.messages.findIndex(({ id }) => compareIds(id, message.id) > 0)
    const place = newer === -1 ? known.messages.length : newer
    if (place === 0 && known.more) return
    put(message.channelId, { ...known, messages: known.messages.toSpliced(place, 0, message) })
  }
}

export function dropMessage(channelId: string, messageId: string): void {
  loading.get(channelId)?.push(() => dropMessage(channelId, messageId))
  const known = conversations.value.get(channelId)
  if (known !== undefined) put(channelId, { ...known, messages: known.messages.filter(({ id }) => id !== messageId) })
  if (replyingTo.value?.id === messageId) replyingTo.value = null
}

export function noteTyping(channelId: string, personId: string): void {
  const until = Date.now() + 9_000
  const inChannel = new Map(typing.value.get(channelId)).set(personId, until)
  typing.value = new Map(typing.value).set(channelId, inChannel)
  setTimeout(() => {
    if (typing.value.get(channelId)?.get(personId) === until) stopTyping(channelId, personId)
  }, 9_000)
}

function stopTyping(channelId: string, personId: string): void {
  if (typing.value.get(channelId)?.has(personId) !== true) return
  const rest = new Map(typing.value.get(channelId))
  rest.delete(personId)
  typing.value = new Map(typing.value).set(channelId, rest)
}

export function markRead(id: string): void {
  const last = channel.value?.id === id ? lastIn(id) : null
  const key = markKey(id)
  if (last === null || readMarks.value[key] === last) return
  readMarks.value = { ...readMarks.value, [key]: last }
  localStorage.setItem('read', JSON.stringify(readMarks.value))
}

/**
 * Whether a channel has unread messages for the tab's person. A channel that the person has never visited is unread if
 * it has any message.
 */
export function isUnread({ id }: ChannelView): boolean {
  const last = lastIn(id)
  const mark = readMarks.value[markKey(id)]
  return last !== null && (mark === undefined || compareIds(last, mark) > 0)
}

export function readMark(id: string): string | undefined {
  return readMarks.value[markKey(id)]
}

/** Counts the loaded messages that notify the person and are newer than the mark. */
export function mentionsIn(id: string): number {
  const mark = readMarks.value[markKey(id)]
  const mine = me.value?.id ?? ''
  const messages = conversations.value.get(id)?.messages ?? []
  return messages.filter(
    (message) => (mark === undefined || compareIds(message.id, mark) > 0) && message.notifies.personIds.includes(mine),
  ).length
}

/** Compares ids, which grow with time and are too long for numbers. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}

function lastIn(id: string): string | null {
  const loaded = conversations.value.get(id)?.messages.at(-1)?.id
  const all = view.value
  const told = [...(all?.servers.flatMap(({ channels }) => channels) ?? []), ...(all?.conversations ?? [])].find(
    (each) => each.id === id,
  )?.lastMessageId
  if (loaded === undefined) return told ?? null
  return told === null || told === undefined || compareIds(loaded, told) > 0 ? loaded : told
}

/** Stores the id of a channel's newest message in the lists of channels. */
function noteLast(channelId: string, messageId: string): void {
  const all = view.value
  if (all === null) return
  const touch = (each: ChannelView): ChannelView =>
    each.id === channelId && (each.lastMessageId === null || compareIds(messageId, each.lastMessageId) > 0)
      ? { ...each, lastMessageId: messageId }
      : each
  view.value = {
    ...all,
    servers: all.servers.map((each) =>
      each.channels.some(({ id }) => id === channelId) ? { ...each, channels: each.channels.map(touch) } : each,
    ),
    conversations: all.conversations.map(touch),
  }
}

function put(id: string, conversation: Conversation): void {
  conversations.value = new Map(conversations.value).set(id, conversation)
}

function markKey(channelId: string): string {
  return `${me.value?.id} ${channelId}`
}
