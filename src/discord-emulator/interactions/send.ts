import { token } from '../../lib/entropy.ts'
import type { Core } from '../core/core.ts'
import { maxFileBytes } from '../rules/files.ts'
import type { JsonObject } from '../rules/form.ts'
import { actingMemberPayload, channelPayload, messagePayload, userPayload } from '../world/payloads.ts'
import { channelPermissions } from '../world/permissions.ts'
import type { ChannelRecord, InteractionRecord, MessageRecord } from '../world/records.ts'
import { deliver } from './deliver.ts'
import { noteChange, watched } from './note-change.ts'

/** Something a person did that the bot is to answer. */
export interface Doing {
  readonly type: InteractionRecord['type']
  readonly userId: string
  readonly channel: ChannelRecord
  /** The command's path, or the custom id. */
  readonly name: string
  readonly data: JsonObject
  readonly commandType?: number
  readonly targetUserId?: string
  readonly targetMessageId?: string
  /** The message whose component was used. */
  readonly source?: MessageRecord | undefined
}

/** Sends an interaction to the bot and starts its 3 seconds. */
export function sendInteraction(core: Core, doing: Doing): InteractionRecord {
  const { world, clock, pending } = core
  const interaction: InteractionRecord = {
    id: world.nextId(),
    token: token(core.entropy, 48),
    type: doing.type,
    userId: doing.userId,
    guildId: doing.channel.guildId,
    channelId: doing.channel.id,
    sentAt: clock.now(),
    name: doing.name,
    commandType: doing.commandType ?? null,
    targetUserId: doing.targetUserId ?? null,
    targetMessageId: doing.targetMessageId ?? null,
    sourceMessageId: doing.source?.id ?? null,
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
  if (user === undefined) throw new Error(`no such person: ${doing.userId}`)
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId)
  const member = guild && world.member(guild.id, user.id)
  const botPermissions = channelPermissions(world, channel, world.applicationId).toString()
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
    app_permissions: botPermissions,
    ...placePayload(core, doing),
    attachment_size_limit: maxFileBytes,
    ...(guild && {
      guild_id: guild.id,
      guild: { id: guild.id, locale: guild.locale, features: [] },
      guild_locale: guild.locale,
    }),
    ...(member === undefined ? { user: userPayload(user) } : { member: actingMemberPayload(world, member, channel) }),
    ...(source && { message: messagePayload(world, core.address.cdnUrl, source) }),
  }
}

/** Which installation lets this happen here: that of the server or the conversation with the bot, or somebody's own. */
function placePayload({ world }: Core, { channel, source, userId }: Doing): JsonObject {
  const { guildId } = channel
  const isMember =
    guildId === null
      ? channel.recipientIds.includes(world.applicationId)
      : world.guilds.get(guildId)?.hasApplication === true
  const owners = isMember ? { '0': guildId ?? '0' } : { '1': source?.origin?.userId ?? userId }
  return {
    authorizing_integration_owners: owners,
    context: guildId !== null ? 0 : isMember ? 1 : 2,
  }
}
