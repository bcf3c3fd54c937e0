import type { Core } from '../core/core.ts'
import { intent } from '../gateway/events.ts'
import { archivedThread, lockedThread, tooManyOldEdits } from '../rules/refusal.ts'
import { madeAt } from '../rules/snowflake.ts'
import { channelPayload } from '../world/payloads.ts'
import { may, permission } from '../world/permissions.ts'
import type { ChannelRecord, MessageRecord, ThreadState } from '../world/records.ts'

/**
 * Refuses an edit in a thread that is archived (50083) or locked (160005). Only new messages unarchive a thread.
 * https://docs.discord.com/developers/topics/threads#active-archived-threads
 */
export function mustBeEditable(core: Core, message: MessageRecord): void {
  const channel = core.world.channels.get(message.channelId)
  if (channel?.thread === undefined || message.visibleTo !== null) return
  if (channel.thread.archived) throw archivedThread()
  mustBeUnlocked(core, channel)
}

/** Unarchives a thread for a new message. Throws 160005 if the thread is locked. */
export function wakeThread(core: Core, channel: ChannelRecord): void {
  if (channel.thread === undefined) return
  mustBeUnlocked(core, channel)
  if (channel.thread.archived) changeThread(core, channel, { archived: false })
}

/** Archives, unarchives, locks or unlocks a thread, and informs the bot and the observers. */
export function changeThread(
  core: Core,
  channel: ChannelRecord,
  change: Partial<Pick<ThreadState, 'archived' | 'locked'>>,
): void {
  const { thread } = channel
  if (thread === undefined) throw new Error(`${channel.id} is not a thread`)
  Object.assign(thread, change, { changedAt: core.clock.now() })
  core.world.saveChannel(channel)
  core.tellBot({
    name: 'THREAD_UPDATE',
    guildId: channel.guildId,
    channelId: channel.id,
    intent: intent.guilds,
    data: () => channelPayload(core.world, channel, core.world.applicationId),
  })
  core.tellObservers(() => ({ type: 'world', visibleTo: null }))
}

function mustBeUnlocked({ world }: Core, channel: ChannelRecord): void {
  const isLocked = channel.thread?.locked === true
  if (isLocked && !may(world, channel, world.applicationId, permission.manageThreads)) throw lockedThread()
}

const hourMs = 3_600_000
const windowMs = 20_000
const maxOldEdits = 3

/**
 * Counts edits of messages older than an hour, which have a separate, low limit in each channel (30046). Discord
 * documents the code (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json) but not the limit.
 * People have measured three edits in twenty seconds (https://github.com/circuitsacul/starboard-4, pull request 118).
 */
export class OldEdits {
  readonly #latest = new Map<string, number[]>()

  /** Counts an edit, and throws 30046 if it is above the limit. `now` is in Unix milliseconds. */
  mustBeAllowed({ id, channelId }: MessageRecord, now: number): void {
    if (now - madeAt(id) <= hourMs) return
    const recent = (this.#latest.get(channelId) ?? []).filter((at) => now - at < windowMs)
    if (recent.length >= maxOldEdits) throw tooManyOldEdits()
    this.#latest.set(channelId, [...recent, now])
  }
}
