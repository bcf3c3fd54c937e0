import { token } from '../../lib/entropy.ts'
import type { Core } from '../core/core.ts'
import { maxFileBytes } from '../rules/files.ts'
import type { JsonObject } from '../rules/form.ts'
import { actingMemberPayload, channelPayload, guildFacts, messagePayload, userPayload } from '../world/payloads.ts'
import { appPermissions, channelPermissions, isForcedEphemeral } from '../world/permissions.ts'
import { type ChannelRecord, channelKind, type InteractionRecord, type MessageRecord } from '../world/records.ts'
import { deliver } from './deliver.ts'
import { noteChange, watched } from './note-change.ts'

/** A person's action that the bot must answer. */
export interface Doing {
  readonly type: InteractionRecord['type']
  readonly userId: string
  readonly channel: ChannelRecord
  /** The command's path, or the custom id of the component or form. */
  readonly name: string
  readonly data: JsonObject
  readonly commandType?: number
  readonly targetUserId?: string
  readonly targetMessageId?: string
  /** The message with the component that the person used. */
  readonly source?: MessageRecord | undefined
  /** For a form, the id of the interaction that opened it. */
  readonly openedBy?: string
}

/** Sends an interaction to the bot. The bot then has 3 seconds for its first response. */
export function sendInteraction(core: Core, doing: Doing): InteractionRecord {
  const { world, clock, pending } = core
  const owners = ownersOf(core, doing)
  const guest = isGuest(core, doing)
  const interaction: InteractionRecord = {
    id: world.nextId(),
    token: token(core.entropy, 48),
    type: doing.type,
    userId: doing.userId,
    guildId: doing.channel.guildId,
    channelId: doing.channel.id,
    owners,
    guest,
    forcedEphemeral: guest && isForcedEphemeral(world, doing.channel, doing.userId),
    sentAt: clock.now(),
    name: doing.name,
    commandType: doing.commandType ?? null,
    targetUserId: doing.targetUserId ?? null,
    targetMessageId: doing.targetMessageId ?? null,
    sourceMessageId: doing.source?.id ?? null,
    ...(doing.openedBy !== undefined && { openedBy: doing.openedBy }),
    state: 'waiting',
    acknowledgedAfterMs: null,
    originalMessageId: null,
    messageIds: [],
    modal: null,
    choices: null,
  }
  world.saveInteraction(interaction)
  const payload = interactionPayload(core, doing, interaction)
  const event = {
    name: 'INTERACTION_CREATE',
    guildId: doing.channel.guildId,
    intent: 0,
    data: () => payload,
  }
  pending.remember(interaction.id, event)
  pending.expect(interaction, () => {
    interaction.state = 'failed'
    noteChange(core, interaction)
  })
  deliver(core, interaction.id, event)
  if (pending.duplicates > 0) {
    pending.duplicates -= 1
    deliver(core, interaction.id, event, true)
  }
  core.tellObservers(() => watched(core, interaction))
  return interaction
}

function interactionPayload(core: Core, doing: Doing, interaction: InteractionRecord): JsonObject {
  const { world } = core
  const { channel, source } = doing
  const user = world.users.get(doing.userId)
  if (user === undefined) throw new Error(`there is no person ${doing.userId}`)
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId)
  const member = guild && world.member(guild.id, user.id)
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data: doing.data,
    channel_id: channel.id,
    channel: {
      ...channelPayload(world, channel, user.id),
      ...(guild && { permissions: channelPermissions(world, channel, user.id).toString() }),
    },
    locale: user.locale,
    entitlements: [],
    app_permissions: appPermissions(world, channel).toString(),
    authorizing_integration_owners: interaction.owners,
    context: contextOf(core, channel),
    attachment_size_limit: maxFileBytes,
    ...(guild && {
      guild_id: guild.id,
      guild: { id: guild.id, ...guildFacts(guild) },
      guild_locale: guildFacts(guild).locale,
    }),
    ...(member === undefined ? { user: userPayload(user) } : { member: actingMemberPayload(world, member, channel) }),
    ...(source && { message: messagePayload(world, core.address.cdnUrl, source) }),
  }
}

/** Returns the interaction's context: 0 in a server, 1 in a person's conversation with the bot, 2 in any other. */
function contextOf({ world }: Core, { guildId, type, recipientIds }: ChannelRecord): number {
  if (guildId !== null) return 0
  return type === channelKind.dm && recipientIds.includes(world.applicationId) ? 1 : 2
}

/** Whether the bot is here only because a person has installed it for themselves. */
function isGuest(core: Core, { channel }: Doing): boolean {
  if (channel.guildId !== null) return core.world.guilds.get(channel.guildId)?.hasApplication !== true
  return contextOf(core, channel) === 2
}

/**
 * Returns the installations that allow the action here: under `0`, that of the server or of the conversation with the
 * bot; under `1`, that of a person.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
 */
function ownersOf(core: Core, doing: Doing): Record<string, string> {
  const { channel, source, userId } = doing
  const own = source?.origin?.owners?.['1'] ?? (core.world.userInstalls.has(userId) ? userId : undefined)
  return {
    ...(isGuest(core, doing) ? {} : { '0': channel.guildId ?? '0' }),
    ...(own !== undefined && { '1': own }),
  }
}
