import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { missingPermissions } from '../rules/refusal.ts'
import { channelPayload } from '../world/payloads.ts'
import { may, sendingIn } from '../world/permissions.ts'
import { channelOf } from './read.ts'

/** Serves channels, but not the messages in them, which `messages.ts` serves. */
export function serveChannels(api: FastifyInstance, core: Core): void {
  const { world } = core
  api.get('/channels/:channel', async (request) => channelPayload(world, channelOf(core, request), world.applicationId))
  api.post('/channels/:channel/typing', async (request, reply) => {
    const channel = channelOf(core, request)
    if (!may(world, channel, world.applicationId, sendingIn(channel))) throw missingPermissions()
    core.tellObservers(() => ({
      type: 'typing',
      channelId: channel.id,
      visibleTo: null,
      personId: world.applicationId,
    }))
    return reply.code(204).send()
  })
}
