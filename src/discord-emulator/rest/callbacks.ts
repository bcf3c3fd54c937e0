import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { respond } from '../interactions/respond.ts'
import type { JsonObject } from '../rules/form.ts'
import { flag } from '../rules/messages.ts'
import { messagePayload } from '../world/payloads.ts'
import type { InteractionRecord } from '../world/records.ts'
import { filesOf, jsonOf, param, query } from './read.ts'

/** Serves the route to which the bot sends its first response to an interaction. */
export function serveCallbacks(api: FastifyInstance, core: Core): void {
  api.post('/interactions/:interaction/:token/callback', async (request, reply) => {
    const body = jsonOf(request)
    const interaction = respond(core, param(request, 'interaction'), param(request, 'token'), body, filesOf(request))
    if (query(request, 'with_response') !== 'true') return reply.code(204).send()
    return callbackPayload(core, interaction, Number(body.type))
  })
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback */
function callbackPayload(core: Core, interaction: InteractionRecord, type: number): JsonObject {
  const { world } = core
  const id = interaction.originalMessageId
  const message = id === null ? undefined : world.message(interaction.channelId, id)
  const tellsMessage = message !== undefined && type !== 6
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      response_message_loading: message !== undefined && (message.flags & flag.loading) !== 0,
      response_message_ephemeral: message !== undefined && message.visibleTo !== null,
      ...(message && { response_message_id: message.id, channel_id: message.channelId }),
      ...(interaction.guildId !== null && { guild_id: interaction.guildId }),
    },
    ...(tellsMessage && {
      resource: { type: type === 5 ? 4 : type, message: messagePayload(world, core.address.cdnUrl, message) },
    }),
  }
}
